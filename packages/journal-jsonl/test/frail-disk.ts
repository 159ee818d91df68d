import { basename, dirname } from 'node:path';
import type { Disk } from '@codicil/journal-jsonl';

interface FrailFile {
  bytes: Buffer;
  /** How much of it a power failure cannot take away. */
  durable: number;
}

/** A disk in memory that can fail in the middle of a write, and lose its power. */
export class FrailDisk implements Disk {
  readonly files: Map<string, FrailFile> = new Map();
  readonly #open = new Map<number, FrailFile>();
  #next = 1;
  /** The next write takes only so many bytes and then fails. */
  shortWrite: number | undefined;
  /** The next sync fails. */
  failSync = false;
  /** Runs once, just before the next write: another process gets in between. */
  beforeWrite: (() => void) | undefined;
  /** Runs once, while a sync is under way. */
  duringSync: (() => Promise<void>) | undefined;

  /** What a new machine finds: each file keeps what was synced and so much of the rest, as `keep` draws it, then perhaps zeros. */
  afterPowerFailure(keep: (unsynced: number) => { readonly bytes: number; readonly zeros: number }): FrailDisk {
    const disk = new FrailDisk();
    for (const [path, file] of this.files) {
      const { bytes, zeros } = keep(file.bytes.length - file.durable);
      const kept = Buffer.concat([file.bytes.subarray(0, file.durable + bytes), Buffer.alloc(zeros)]);
      disk.files.set(path, { bytes: kept, durable: kept.length });
    }
    return disk;
  }

  clone(): FrailDisk {
    return this.afterPowerFailure((unsynced) => ({ bytes: unsynced, zeros: 0 }));
  }

  makeFolder(): void {}

  names(folder: string): readonly string[] {
    return [...this.files.keys()].filter((path) => dirname(path) === folder).map((path) => basename(path));
  }

  open(path: string): number | undefined {
    const file = this.files.get(path);
    return file === undefined ? undefined : this.#handle(file);
  }

  create(path: string): number {
    const file = { bytes: Buffer.alloc(0), durable: 0 };
    this.files.set(path, file);
    return this.#handle(file);
  }

  size(handle: number): number {
    return this.#fileOf(handle).bytes.length;
  }

  read(handle: number, buffer: Buffer, position: number): number {
    return this.#fileOf(handle).bytes.copy(buffer, 0, position);
  }

  write(handle: number, bytes: Buffer): number {
    const intruder = this.beforeWrite;
    this.beforeWrite = undefined;
    intruder?.();
    const file = this.#fileOf(handle);
    const taken = Math.min(bytes.length, this.shortWrite ?? bytes.length);
    this.shortWrite = undefined;
    file.bytes = Buffer.concat([file.bytes, bytes.subarray(0, taken)]);
    return taken;
  }

  sync(handle: number): void {
    if (this.failSync) {
      this.failSync = false;
      throw Object.assign(new Error('input/output error'), { code: 'EIO', syscall: 'fdatasync' });
    }
    const file = this.#fileOf(handle);
    file.durable = file.bytes.length;
  }

  async syncLater(handle: number): Promise<void> {
    const intruder = this.duringSync;
    this.duringSync = undefined;
    await intruder?.();
    this.sync(handle);
  }

  close(handle: number): void {
    this.#open.delete(handle);
  }

  publish(from: string, to: string): boolean {
    const file = this.files.get(from);
    if (file === undefined || this.files.has(to)) return false;
    this.files.set(to, file);
    return true;
  }

  remove(path: string): void {
    this.files.delete(path);
  }

  syncFolder(): void {}

  #handle(file: FrailFile): number {
    this.#open.set(this.#next, file);
    return this.#next++;
  }

  #fileOf(handle: number): FrailFile {
    const file = this.#open.get(handle);
    if (file === undefined) throw new Error(`${handle} is not open`);
    return file;
  }
}
