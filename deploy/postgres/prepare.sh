#!/bin/sh
# Roles, passwords and databases, as the superuser. Everything is repeatable, and a password that was
# changed in .env is set here: the image's own initialisation scripts would run on an empty volume
# only. The roles of the API and of the worker are made by our migrations.
set -eu

: "${OWNER_PASSWORD:?is not set}" "${TEMPORAL_PASSWORD:?is not set}"

psql --no-psqlrc --quiet --dbname=postgres --set=ON_ERROR_STOP=1 <<'SQL'
\getenv owner_password OWNER_PASSWORD
\getenv temporal_password TEMPORAL_PASSWORD

select 'create role resolute_owner'
  where not exists (select from pg_roles where rolname = 'resolute_owner') \gexec
alter role resolute_owner login createrole password :'owner_password';

select 'create role temporal'
  where not exists (select from pg_roles where rolname = 'temporal') \gexec
alter role temporal login password :'temporal_password';

select format('create database %I owner %I', wanted.name, wanted.owner)
  from (values ('resolute', 'resolute_owner'),
               ('temporal', 'temporal'),
               ('temporal_visibility', 'temporal')) as wanted (name, owner)
  where not exists (select from pg_database where datname = wanted.name) \gexec

-- Temporal's tables are Temporal's business: our own roles cannot even connect.
revoke connect on database temporal, temporal_visibility from public;
SQL
echo 'Roles and databases are there.'
