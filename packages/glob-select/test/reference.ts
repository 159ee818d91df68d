/** The dialect as a child would write it: slow, recursive, and obviously right. */
export function referenceMatches(glob: string, path: string): boolean {
  return segmentsMatch(glob.split('/'), path.split('/'));
}

function segmentsMatch(glob: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return path.length === 0;
  if (first === '**') {
    if (rest.length === 0) return path.length > 0;
    return segmentsMatch(rest, path) || (path.length > 0 && segmentsMatch(glob, path.slice(1)));
  }
  const [name, ...below] = path;
  return name !== undefined && charactersMatch([...first], [...name]) && segmentsMatch(rest, below);
}

function charactersMatch(pattern: readonly string[], name: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return name.length === 0;
  if (first === '*') return charactersMatch(rest, name) || (name.length > 0 && charactersMatch(pattern, name.slice(1)));
  return name.length > 0 && (first === '?' || first === name[0]) && charactersMatch(rest, name.slice(1));
}
