declare const brand: unique symbol;

/**
 * A path below a project root: segments joined by `/`, `''` for the root itself. No segment is empty, `.` or `..`, and
 * none holds a NUL; any other character of a file name is allowed, a backslash on POSIX included.
 */
export type ProjectPath = string & { readonly [brand]: 'ProjectPath' };

/** The root folder. */
export const ROOT: ProjectPath = '' as ProjectPath;

/** The text as a project path, or `undefined` when it is not one. Nothing is repaired. */
export function parseProjectPath(text: string): ProjectPath | undefined {
  if (text === '') return ROOT;
  if (text.includes('\0')) return undefined;
  for (const segment of text.split('/')) if (segment === '' || segment === '.' || segment === '..') return undefined;
  return text as ProjectPath;
}

/** The path of an entry of a folder. `name` is one segment. */
export function joinPath(folder: ProjectPath, name: string): ProjectPath {
  return (folder === '' ? name : `${folder}/${name}`) as ProjectPath;
}

/** The last segment; `''` for the root. */
export function baseName(path: ProjectPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder that holds the path; `undefined` for the root. */
export function parentOf(path: ProjectPath): ProjectPath | undefined {
  if (path === '') return undefined;
  return path.slice(0, Math.max(0, path.lastIndexOf('/'))) as ProjectPath;
}

/** The number of segments; 0 for the root. */
export function depthOf(path: ProjectPath): number {
  if (path === '') return 0;
  let depth = 1;
  for (let index = path.indexOf('/'); index !== -1; index = path.indexOf('/', index + 1)) depth++;
  return depth;
}

/** The folders between the root and the path, shallow to deep, without the root and without the path itself. */
export function foldersAbove(path: ProjectPath): readonly ProjectPath[] {
  const folders: ProjectPath[] = [];
  for (let index = path.indexOf('/'); index !== -1; index = path.indexOf('/', index + 1)) {
    folders.push(path.slice(0, index) as ProjectPath);
  }
  return folders;
}

/** Whether `path` is `folder` or lies below it. */
export function isInside(folder: ProjectPath, path: ProjectPath): boolean {
  return folder === '' || path === folder || (path.startsWith(folder) && path[folder.length] === '/');
}

/** Order by Unicode code points, the same in every locale (UTF-16 order differs above U+FFFF). */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    if (left.charCodeAt(index) !== right.charCodeAt(index)) return rankAt(left, index) < rankAt(right, index) ? -1 : 1;
  }
  return left.length - right.length;
}

/** The unit there, lifted over all others when it is half of a pair: pairs stand for code points above U+FFFF. */
function rankAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const isPaired =
    (isHigh(unit) && isLow(text.charCodeAt(index + 1))) || (isLow(unit) && isHigh(text.charCodeAt(index - 1)));
  return isPaired ? unit + 0x10000 : unit;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
