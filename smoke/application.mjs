import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './processes.mjs';

const TEMPLATES = import.meta.dirname;
const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/** A throw-away application, made from a template of this folder. */
export class Application {
  constructor(parent, template) {
    this.directory = join(parent, template);
    cpSync(join(TEMPLATES, template), this.directory, { recursive: true });
  }

  /** Adds the shared sources, as they are written for CommonJS or, with extensions, for ESM. */
  addSources({ extensions }) {
    const source = join(TEMPLATES, 'app');
    mkdirSync(join(this.directory, 'src'));
    for (const name of readdirSync(source)) {
      const text = readFileSync(join(source, name), 'utf8');
      this.write(
        join('src', name),
        extensions ? text.replaceAll(/((?:from|import) '\.[^']*)'/g, "$1.js'") : text,
      );
    }
  }

  write(name, text) {
    writeFileSync(join(this.directory, name), text);
  }

  /** Merges values into one field of its `package.json`. */
  configure(field, values) {
    const manifest = JSON.parse(readFileSync(join(this.directory, 'package.json'), 'utf8'));
    this.write(
      'package.json',
      JSON.stringify({ ...manifest, [field]: { ...manifest[field], ...values } }),
    );
  }

  install(tarball) {
    return this.run('npm', ...INSTALL, tarball);
  }

  /** Compiles with the application's own TypeScript. */
  compile(...args) {
    return this.node('node_modules/typescript/bin/tsc', ...args);
  }

  node(...args) {
    return this.run(process.execPath, ...args);
  }

  run(command, ...args) {
    return run(command, args, { cwd: this.directory, env: { CI: 'true', NO_COLOR: '1' } });
  }
}
