import { Catch, type Type } from '@nestjs/common';
import { of } from 'rxjs';

export const journal: string[] = [];
export const BOOT = ['onModuleInit', 'onApplicationBootstrap'];
export const SHUTDOWN = ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'];

/** Notes its hooks, and may be used as any kind of enhancer. */
class Noting {
  constructor() {
    journal.push(`new ${this.constructor.name}`);
  }
  onModuleInit(): unknown {
    return this.note('onModuleInit');
  }
  onApplicationBootstrap(): unknown {
    return this.note('onApplicationBootstrap');
  }
  onModuleDestroy(): unknown {
    return this.note('onModuleDestroy');
  }
  beforeApplicationShutdown(signal?: string): unknown {
    return this.note('beforeApplicationShutdown', signal);
  }
  onApplicationShutdown(signal?: string): unknown {
    return this.note('onApplicationShutdown', signal);
  }
  protected note(hook: string, ...signals: (string | undefined)[]): unknown {
    return journal.push([this.constructor.name, hook, ...signals].join(' '));
  }
}

export class Guard extends Noting {
  canActivate() {
    return true;
  }
}
export class Interceptor extends Noting {
  intercept = () => of('intercepted');
}
export class Pipe extends Noting {
  transform(value: unknown) {
    return value;
  }
}
@Catch()
export class Filter extends Noting {
  catch() {
    return 'filtered';
  }
}

/** The entries of one class, without its name. */
export const hooksOf = ({ name }: Type) =>
  journal
    .filter((entry) => entry.startsWith(`${name} `) && !entry.startsWith('new '))
    .map((entry) => entry.slice(name.length + 1));
export const madeOf = ({ name }: Type) => journal.filter((entry) => entry === `new ${name}`).length;
