import { basename, dirname } from 'node:path';
import type { Disk } from '@codicil/journal-jsonl';

interface FrailFile {
  bytes: Buffer;
  /** How much of it a power failure cannot take away. */
  durable: number;
  /** Bytes that were replaced since the last sync, as they were before. */
  readonly replaced: { readonly position: number; readonly before: Buffer }[];
  /** Whether a power failure leaves it its name. */
  isNamed: boolean;
}

/** What a power failure does to a file. */
export interface Loss {
  /** How many of the bytes that were not synced stay. */
  bytes(unsynced: number): number;
  /** How many zeros follow. */
  readonly zeros: number;
  /** The part of what stays unsynced that became zeros: a page that was not written. */
  readonly hole?: readonly [from: number, to: number];
  /** How many bytes of an unsynced replacement were written; the others are as before. */
  readonly replaced: number;
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
  /** Where each read began. */
  readonly reads: number[] = [];

  /** What a new machine finds. */
  afterPowerFailure({ bytes, zeros, hole = [0, 0], replaced }: Loss): FrailDisk {
    const disk = new FrailDisk();
    for (const [path, file] of this.files) {
      if (!file.isNamed) continue;
      const unsynced = file.bytes.length - file.durable;
      const all = Buffer.from(file.bytes);
      for (const { position, before } of [...file.replaced].reverse())
        before.subarray(replaced).copy(all, position + replaced);
      all.subarray(file.durable).fill(0, Math.floor(unsynced * hole[0]), Math.floor(unsynced * hole[1]));
      disk.#put(path, Buffer.concat([all.subarray(0, file.durable + bytes(unsynced)), Buffer.alloc(zeros)]));
    }
    return disk;
  }

  clone(): FrailDisk {
    const disk = new FrailDisk();
    for (const [path, { bytes }] of this.files) disk.#put(path, Buffer.from(bytes));
    return disk;
  }

  bytesOf(path: string): Buffer {
    return this.#named(path).bytes;
  }

  replace(path: string, bytes: Buffer): void {
    this.#put(path, bytes);
  }

  /** What another process would write. */
  append(path: string, bytes: Buffer): void {
    const file = this.#named(path);
    file.bytes = Buffer.concat([file.bytes, bytes]);
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
    return this.#handle(this.#put(path, Buffer.alloc(0)));
  }

  size(handle: number): number {
    return this.#fileOf(handle).bytes.length;
  }

  read(handle: number, buffer: Buffer, position: number): number {
    this.reads.push(position);
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

  openInPlace(path: string): number {
    return this.#handle(this.#named(path));
  }

  overwrite(handle: number, bytes: Buffer, position: number): number {
    const file = this.#fileOf(handle);
    file.replaced.push({ position, before: Buffer.from(file.bytes.subarray(position, position + bytes.length)) });
    file.bytes = Buffer.from(file.bytes);
    return bytes.copy(file.bytes, position);
  }

  sync(handle: number): void {
    if (this.failSync) {
      this.failSync = false;
      throw Object.assign(new Error('input/output error'), { code: 'EIO', syscall: 'fdatasync' });
    }
    const file = this.#fileOf(handle);
    file.durable = file.bytes.length;
    file.replaced.length = 0;
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
    file.isNamed = false;
    this.files.set(to, file);
    return true;
  }

  remove(path: string): void {
    this.files.delete(path);
  }

  syncFolder(): void {
    for (const file of this.files.values()) file.isNamed = true;
  }

  #put(path: string, bytes: Buffer): FrailFile {
    const file = { bytes, durable: bytes.length, replaced: [], isNamed: true };
    this.files.set(path, file);
    return file;
  }

  #handle(file: FrailFile): number {
    this.#open.set(this.#next, file);
    return this.#next++;
  }

  #named(path: string): FrailFile {
    const file = this.files.get(path);
    if (file === undefined) throw new Error(`there is no file ${path}`);
    return file;
  }

  #fileOf(handle: number): FrailFile {
    const file = this.#open.get(handle);
    if (file === undefined) throw new Error(`${handle} is not open`);
    return file;
  }
}
