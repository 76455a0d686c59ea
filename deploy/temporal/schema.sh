#!/bin/sh
# Temporal's tables, brought to the version of this image. The connection comes from SQL_PLUGIN,
# SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD. Both steps do nothing on a schema that is up to date.
set -eu

bring_up_to_date() {
  temporal-sql-tool --database "$1" setup-schema --version 0.0
  temporal-sql-tool --database "$1" update-schema --schema-name "postgresql/v12/$2"
}

bring_up_to_date temporal temporal
bring_up_to_date temporal_visibility visibility
