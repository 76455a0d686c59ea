-- Purpose: count and list the open discrepancies without reading every intent.
-- Lock: writes on intents wait while the index is built. Reversible: drop index. Breaking: no.

create index intents_contradicted on intents (discrepancy_since) where discrepancy_since is not null;
