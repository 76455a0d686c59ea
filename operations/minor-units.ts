/** Amounts that callers send. */
import { z } from 'zod';

/** 999,999,999.99 in a currency of two digits: far above a charge, far below what a double rounds. */
const MOST_MINOR_UNITS = 99_999_999_999;

/** A whole number of minor units, above 0. */
export const minorUnits = z.int().min(1).max(MOST_MINOR_UNITS);
