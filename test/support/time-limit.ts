/** How long a test may take before it counts as hanging; real processes need more than Jest's 5 s. */
jest.setTimeout(60_000);
