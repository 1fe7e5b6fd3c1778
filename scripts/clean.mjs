// Removes what the build made. Its `.tsbuildinfo` files lie in `dist`, too: with those left behind,
// `tsc -b` would take what is missing for up to date.
import { rmSync } from 'node:fs';

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
