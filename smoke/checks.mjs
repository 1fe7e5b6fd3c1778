/** Counts checks; a failed one is printed and does not stop those after it. */
export class Checks {
  passed = 0;
  failed = 0;

  /** Runs one check, which fails by throwing. Resolves to whether it passed. */
  async run(name, check) {
    const started = performance.now();
    try {
      await check();
      this.passed++;
      console.log(`ok      ${name} (${seconds(started)})`);
      return true;
    } catch (error) {
      this.failed++;
      console.log(`FAILED  ${name}: ${error.message}`);
      return false;
    }
  }

  get summary() {
    return `${this.passed} passed, ${this.failed} failed`;
  }
}

export function seconds(started) {
  return `${((performance.now() - started) / 1_000).toFixed(1)} s`;
}
