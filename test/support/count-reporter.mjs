/** Prints the totals in one plain last line that scripts can read. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    console.log(`${results.numPassedTests} passed, ${failed} failed`);
  }
}
