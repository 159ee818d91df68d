import type { WorldClock } from './clock.ts';
import type { TreeEdit, TreeEntry } from './tree-spec.ts';

interface Inode {
  /** Never used twice. */
  readonly ino: number;
  mode: number;
  /** Ticks of the world's clock. */
  mtime: number;
  ctime: number;
}

export interface FileNode extends Inode {
  readonly kind: 'file';
  /** Never changed in place: an edit puts another array here, so that equal references prove equal content. */
  bytes: Uint8Array;
}

export interface FolderNode extends Inode {
  readonly kind: 'folder';
  readonly entries: Map<string, WorldNode>;
}

export interface LinkNode extends Inode {
  readonly kind: 'link';
  /** As the platform spells it. */
  readonly target: string;
}

export interface SpecialNode extends Inode {
  readonly kind: 'special';
}

export type WorldNode = FileNode | FolderNode | LinkNode | SpecialNode;

/** The names from the top of the world to a node; on Windows the first is the drive. */
export type Place = readonly string[];

export interface WorldOptions {
  readonly platform: 'posix' | 'win32';
  readonly ignoresCase: boolean;
  readonly clock: WorldClock;
}

const DEFAULT_MODE = { file: 0o644, folder: 0o755, link: 0o777, special: 0o644 } as const;

/** A small file system in memory: the project's root and some space beside it. Edits are as total as {@link TreeEdit} says. */
export class World {
  readonly platform: 'posix' | 'win32';
  readonly ignoresCase: boolean;
  readonly clock: WorldClock;
  readonly top: FolderNode;
  /** The place of the project's root. */
  readonly root: Place;
  /** The project is out of reach as a whole, as when a volume is unmounted. */
  away = false;
  #inodes = 0;

  constructor(o: WorldOptions) {
    this.platform = o.platform;
    this.ignoresCase = o.ignoresCase;
    this.clock = o.clock;
    this.root = o.platform === 'win32' ? ['C:', 'proj'] : ['world', 'project'];
    this.top = { ...this.#inode('folder'), kind: 'folder', entries: new Map() };
    this.#folder(this.root);
  }

  add(entry: TreeEntry): void {
    const place = this.placeOf(entry.path);
    if ('text' in entry) this.write(entry.path, entry.text);
    else if ('bytes' in entry) this.write(entry.path, entry.bytes);
    else if ('symlink' in entry) this.symlink(entry.path, entry.symlink, entry.absolute ?? false);
    else if ('hardLink' in entry) this.hardLink(entry.path, entry.hardLink);
    else if ('fifo' in entry) this.special(entry.path);
    else this.#folder(place);
    if ('mode' in entry && entry.mode !== undefined) this.chmod(entry.path, entry.mode);
  }

  apply(change: TreeEdit): void {
    if (change.kind === 'write') this.write(change.path, change.text);
    else if (change.kind === 'remove') this.remove(change.path);
    else if (change.kind === 'rename') this.rename(change.path, change.to);
    else if (change.kind === 'symlink') this.symlink(change.path, change.target, change.absolute ?? false);
    else if (change.kind === 'chmod') this.chmod(change.path, change.mode);
    else this.mkdir(change.path);
  }

  write(path: string, content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
    this.clock.onEdit();
    const there = this.nodeAt(this.placeOf(path));
    if (there?.kind === 'file') {
      there.bytes = bytes;
      this.#touch(there);
    } else {
      this.#put(this.placeOf(path), { ...this.#inode('file'), kind: 'file', bytes });
    }
    this.clock.onEdit();
  }

  mkdir(path: string): void {
    this.clock.onEdit();
    this.#folder(this.placeOf(path));
    this.clock.onEdit();
  }

  symlink(path: string, target: string, absolute: boolean): void {
    const said = absolute ? this.native(this.placeOf(target)) : target;
    this.clock.onEdit();
    this.#put(this.placeOf(path), { ...this.#inode('link'), kind: 'link', target: said });
    this.clock.onEdit();
  }

  special(path: string): void {
    this.clock.onEdit();
    this.#put(this.placeOf(path), { ...this.#inode('special'), kind: 'special' });
    this.clock.onEdit();
  }

  hardLink(path: string, to: string): void {
    const node = this.nodeAt(this.placeOf(to));
    if (node?.kind !== 'file') throw new TypeError(`a hard link needs a file, and ${to} is none`);
    this.clock.onEdit();
    this.#put(this.placeOf(path), node);
    node.ctime = this.clock.tick();
    this.clock.onEdit();
  }

  remove(path: string): void {
    this.clock.onEdit();
    this.#take(this.placeOf(path));
    this.clock.onEdit();
  }

  rename(path: string, to: string): void {
    const [from, goal] = [this.placeOf(path), this.placeOf(to)];
    if (this.nodeAt(from) === undefined) return;
    const nested = this.#startsWith(goal, from) || this.#startsWith(from, goal);
    // Only where case is ignored can another spelling be the same place.
    if (nested && (from.length !== goal.length || from.at(-1) === goal.at(-1))) return;
    this.clock.onEdit();
    const node = this.#take(from);
    if (node !== undefined) this.#put(goal, node);
    this.clock.onEdit();
  }

  chmod(path: string, mode: number): void {
    const node = this.nodeAt(this.placeOf(path));
    if (node === undefined || node.kind === 'link') return;
    this.clock.onEdit();
    node.mode = mode;
    node.ctime = this.clock.tick();
    this.clock.onEdit();
  }

  /** The node at a place, no link followed. */
  nodeAt(place: Place): WorldNode | undefined {
    let node: WorldNode = this.top;
    for (const name of place) {
      const next: WorldNode | undefined = node.kind === 'folder' ? this.child(node, name)?.node : undefined;
      if (next === undefined) return undefined;
      node = next;
    }
    return node;
  }

  /** An entry by its name, with the spelling it is stored under. */
  child(folder: FolderNode, name: string): { readonly name: string; readonly node: WorldNode } | undefined {
    const exact = folder.entries.get(name);
    if (exact !== undefined) return { name, node: exact };
    if (!this.ignoresCase) return undefined;
    for (const [stored, node] of folder.entries)
      if (stored.toLowerCase() === name.toLowerCase()) return { name: stored, node };
    return undefined;
  }

  /** The place of a path of a tree: relative to the root, in `/` form, perhaps with `..`. */
  placeOf(path: string): Place {
    const place = [...this.root];
    for (const segment of path.split('/')) {
      if (segment === '..') place.pop();
      else if (segment !== '' && segment !== '.') place.push(segment);
    }
    return place;
  }

  native(place: Place): string {
    if (this.platform === 'posix') return `/${place.join('/')}`;
    return place.length === 1 ? `${place[0]}\\` : place.join('\\');
  }

  /** The segments of a native path or a link's target, and whether they count from the top. */
  segments(path: string): { readonly absolute: boolean; readonly names: readonly string[] } {
    if (this.platform === 'posix') {
      const absolute = path.startsWith('/');
      return { absolute, names: (absolute ? path.slice(1) : path).split('/') };
    }
    return { absolute: /^[A-Za-z]:[\\/]/.test(path), names: path.split(/[\\/]/) };
  }

  #inode(kind: keyof typeof DEFAULT_MODE): Inode {
    const now = this.clock.tick();
    this.#inodes += 1;
    return { ino: this.#inodes, mode: DEFAULT_MODE[kind], mtime: now, ctime: now };
  }

  #touch(node: WorldNode): void {
    node.mtime = this.clock.tick();
    node.ctime = node.mtime;
  }

  /** The folder at a place; whatever else stood on the way is replaced. */
  #folder(place: Place): FolderNode {
    let folder = this.top;
    for (const name of place) {
      const there = this.child(folder, name);
      if (there?.node.kind === 'folder') {
        folder = there.node;
        continue;
      }
      const made: FolderNode = { ...this.#inode('folder'), kind: 'folder', entries: new Map() };
      folder.entries.set(there?.name ?? name, made);
      this.#touch(folder);
      folder = made;
    }
    return folder;
  }

  #put(place: Place, node: WorldNode): void {
    const parent = this.#folder(place.slice(0, -1));
    const name = place.at(-1) ?? '';
    const there = this.child(parent, name);
    if (there !== undefined) {
      parent.entries.delete(there.name);
      there.node.ctime = this.clock.tick();
    }
    parent.entries.set(name, node);
    node.ctime = this.clock.tick();
    this.#touch(parent);
  }

  #take(place: Place): WorldNode | undefined {
    const parent = this.nodeAt(place.slice(0, -1));
    const there = parent?.kind === 'folder' ? this.child(parent, place.at(-1) ?? '') : undefined;
    if (parent?.kind !== 'folder' || there === undefined) return undefined;
    parent.entries.delete(there.name);
    there.node.ctime = this.clock.tick();
    this.#touch(parent);
    return there.node;
  }

  #startsWith(place: Place, start: Place): boolean {
    return start.every((name, index) => {
      const other = place[index];
      return other === name || (this.ignoresCase && other?.toLowerCase() === name.toLowerCase());
    });
  }
}
