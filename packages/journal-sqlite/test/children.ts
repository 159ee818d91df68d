import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { childProgram } from '@codicil/arbitraries/child-program';

const here = fileURLToPath(new URL('..', import.meta.url));

/** A fixture as a program for another process; bundled once for each. */
export function program(fixture: 'crash-child' | 'contender'): Promise<string> {
  return childProgram(here, `test/fixtures/${fixture}.ts`);
}

/** A process of a fixture, and the whole lines that it has printed. */
export class Child {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  #printed = '';
  #said = '';
  #onData: () => void = () => undefined;

  constructor(file: string, ...args: readonly string[]) {
    this.#process = spawn(process.execPath, [file, ...args], { stdio: 'pipe' });
    this.#ended = new Promise((resolve) => this.#process.on('close', () => resolve()));
    this.#process.stdout.on('data', (chunk) => {
      this.#printed += chunk;
      this.#onData();
    });
    this.#process.stderr.on('data', (chunk) => {
      this.#said += chunk;
    });
  }

  lines(): readonly string[] {
    return this.#printed.split('\n').slice(0, -1);
  }

  /** Resolves once so many lines are there; rejects when the child ends before, with what it said. */
  async printed(count: number): Promise<void> {
    const enough = new Promise<void>((resolve) => {
      this.#onData = () => {
        if (this.lines().length >= count) resolve();
      };
      this.#onData();
    });
    const ended = this.#ended.then(() => {
      if (this.lines().length < count) throw new Error(`the child ended early: ${this.#said}`);
    });
    await Promise.race([enough, ended]);
  }

  go(): void {
    this.#process.stdin.write('x');
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  /** Resolves when the child has ended by itself, with its exit code. */
  async end(): Promise<number | null> {
    await this.#ended;
    return this.#process.exitCode;
  }

  said(): string {
    return this.#said;
  }
}
