/**
 * A mistake in a test, thrown by a `fetch`. Its code tells the models that they need not try again, as
 * they would after a failure of the network.
 */
export class TestSetupException extends Error {
  readonly code = 'ERR_TEST_SETUP';
}
