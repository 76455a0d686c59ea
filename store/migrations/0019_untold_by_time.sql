-- Purpose: the auditor's question for decisions whose run may not know of them reads the late ones, not
-- all that were ever taken. Lock: brief, on decisions, for the index. Reversible: drop it. Breaking: no.

create index decisions_effective_lately on decisions (decided_at) where state = 'effective';
