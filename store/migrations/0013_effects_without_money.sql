-- Purpose: operations that are not about money, such as message.send, have neither amount nor
-- currency. Lock: brief, exclusive, on intents; no rewrite. Reversible: while no such intent exists.
-- Breaking: yes, for a release that expects an amount of every intent.

alter table intents alter column amount drop not null, alter column currency drop not null;
alter table intents
  add constraint money_is_whole check ((amount is null) = (currency is null)),
  -- What is null exceeds nothing: guard_draw (migration 0010) could not keep such a draw in bounds. With
  -- its rule of one currency the intent that is drawn on has an amount, too.
  add constraint draw_has_an_amount check (draws_on is null or amount is not null);
