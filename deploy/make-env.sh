#!/bin/sh
# Writes .env: .env.example with a fresh random value for every empty secret. It never replaces one,
# since RESOLUTE_KEY_DIGEST_SECRET must stay as long as the database does.
set -eu

cd "$(dirname "$0")/.."
if [ -e .env ]; then
  echo '.env is there already. Edit it by hand; its secrets belong to the volumes made with them.' >&2
  exit 1
fi

hex() { od -An -v -N32 -tx1 /dev/urandom | tr -d ' \n'; }

umask 077
while IFS= read -r line; do
  case $line in
    STRIPE_*) ;; # given by Stripe, or not there
    RESOLUTE_SIMULATOR_SIGNING_SECRET=) line="${line}whsec_$(head -c 32 /dev/urandom | base64)" ;;
    *_PASSWORD= | *_SECRET= | *_TOKEN=) line="$line$(hex)" ;;
  esac
  printf '%s\n' "$line"
done <.env.example >.env.new
mv .env.new .env
echo 'Wrote .env. Next: docker compose up -d --build'
