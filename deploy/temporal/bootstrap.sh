#!/bin/sh
# What the namespace must know before the first workflow starts. Repeatable; ends with 0 only when the
# server accepts the search attributes. TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE come from outside.
set -eu

: "${TEMPORAL_ADDRESS:?is not set}" "${TEMPORAL_NAMESPACE:?is not set}"

# How long closed workflows stay readable in the Web UI; PostgreSQL keeps the truth for longer.
RETENTION=720h
PATIENCE_S=120

deadline=$(($(date +%s) + PATIENCE_S))

# Repeats a command until it succeeds. At the end of the patience its last words are shown.
eventually() {
  until said=$("$@" 2>&1); do
    if [ "$(date +%s)" -ge "$deadline" ]; then
      printf '%s\nGave up after %s s: %s\n' "$said" "$PATIENCE_S" "$*" >&2
      exit 1
    fi
    sleep 2
  done
}

# A new namespace is known to the server a few seconds after it was made; the second step waits.
ensure_namespace() {
  temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" ||
    temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
}

eventually temporal operator cluster health
eventually ensure_namespace
eventually temporal operator namespace update --namespace "$TEMPORAL_NAMESPACE" \
  --retention "$RETENTION"
eventually temporal operator search-attribute create \
  --name IntentStatus --type Keyword \
  --name IntentTenant --type Keyword \
  --name IntentOperation --type Keyword \
  --name IntentProvider --type Keyword \
  --name IntentAttention --type Keyword \
  --name IntentUnknownSince --type Datetime
eventually temporal workflow count --query \
  'IntentStatus="" or IntentTenant="" or IntentOperation="" or IntentProvider="" or IntentAttention="" or IntentUnknownSince is not null'
echo "Namespace $TEMPORAL_NAMESPACE is ready."
