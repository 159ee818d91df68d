import {
  compileSegment,
  hasWildcard,
  isRuledOut,
  matchesSegment,
  pointsOf,
  type SegmentPattern,
  type Work,
} from './segment.ts';

/** A place between two segments of one or many globs. What it does not need it does not have: ten thousand globs share few of the maps. */
interface Node {
  /** The globs that end here, as the numbers they were added with. */
  ends: number[] | undefined;
  /** The first child reached by a name. Most places have no other, and a map for one child costs more than all the rest. */
  name: string | undefined;
  named: Node | undefined;
  /** Further children reached by names. */
  names: Map<string, Node> | undefined;
  /** Children reached by `*` and a literal end (`*.ts`), with the lengths that these ends have. */
  suffixes: { readonly byText: Map<string, Node>; readonly lengths: number[] } | undefined;
  /** The child of a lone `*`. */
  star: Node | undefined;
  /** Children of every other wildcard. */
  patterns: Map<SegmentPattern, Node> | undefined;
  /** The place after `**`: it is reached without a segment, and every segment leads back to it. */
  globstar: Node | undefined;
  isGlobstar: boolean;
  /** The pass in which it was last reached; keeps the set of reached places without a set. */
  pass: number;
}

function createNode(isGlobstar = false): Node {
  return {
    ends: undefined,
    name: undefined,
    named: undefined,
    names: undefined,
    suffixes: undefined,
    star: undefined,
    patterns: undefined,
    globstar: undefined,
    isGlobstar,
    pass: 0,
  };
}

/** Many globs as one automaton over segments. All places that the segments so far lead to are followed at once, so nothing is ever tried twice. */
export class Trie {
  readonly #root: Node = createNode();
  readonly #work: Work = { steps: 0 };
  /** Each wildcard segment once, however many globs hold it. */
  readonly #patterns = new Map<string, SegmentPattern>();
  #pass = 0;

  get steps(): number {
    return this.#work.steps;
  }

  add(glob: string, number: number): void {
    let node = this.#root;
    const segments = glob.split('/');
    for (const [index, segment] of segments.entries()) {
      if (segment === '**') {
        if (!node.isGlobstar) {
          node.globstar ??= createNode(true);
          node = node.globstar;
        }
        // At the end it stands for everything below, and that is at least one segment.
        if (index < segments.length - 1) continue;
      }
      node = this.#child(node, segment === '**' ? '*' : segment);
    }
    node.ends ??= [];
    node.ends.push(number);
  }

  /** The numbers of the globs that match, in no particular order. */
  match(path: string): number[] {
    let places: Node[] = [];
    this.#pass++;
    this.#reach(this.#root, places);
    for (let start = 0; start <= path.length && places.length > 0; ) {
      const slash = path.indexOf('/', start);
      const end = slash === -1 ? path.length : slash;
      places = this.#follow(places, path.slice(start, end));
      start = end + 1;
      if (slash === -1) break;
    }
    const found: number[] = [];
    for (const { ends } of places) if (ends !== undefined) for (const number of ends) found.push(number);
    return found;
  }

  #reach(node: Node, places: Node[]): void {
    this.#work.steps++;
    if (node.pass === this.#pass) return;
    node.pass = this.#pass;
    places.push(node);
    if (node.globstar !== undefined) this.#reach(node.globstar, places);
  }

  #follow(places: readonly Node[], segment: string): Node[] {
    const next: Node[] = [];
    this.#pass++;
    let points: readonly number[] | undefined;
    for (const node of places) {
      if (node.isGlobstar) this.#reach(node, next);
      if (node.star !== undefined) this.#reach(node.star, next);
      const named = node.name === segment ? node.named : node.names?.get(segment);
      if (named !== undefined) this.#reach(named, next);
      if (node.suffixes !== undefined) {
        for (const length of node.suffixes.lengths) {
          this.#work.steps++;
          const ending =
            length <= segment.length ? node.suffixes.byText.get(segment.slice(segment.length - length)) : undefined;
          if (ending !== undefined) this.#reach(ending, next);
        }
      }
      if (node.patterns === undefined) continue;
      points ??= pointsOf(segment);
      for (const [pattern, after] of node.patterns) {
        this.#work.steps++;
        if (!isRuledOut(pattern, points) && this.#fits(pattern, segment, points)) this.#reach(after, next);
      }
    }
    return next;
  }

  /** A wildcard that stands at many places is held against a segment once. */
  #fits(pattern: SegmentPattern, segment: string, points: readonly number[]): boolean {
    if (pattern.pass !== this.#pass) {
      pattern.pass = this.#pass;
      if (pattern.infix === undefined) pattern.fits = matchesSegment(pattern.points, points, this.#work);
      else {
        this.#work.steps += points.length;
        pattern.fits = segment.includes(pattern.infix);
      }
    }
    return pattern.fits;
  }

  #child(node: Node, segment: string): Node {
    if (segment === '*') {
      node.star ??= createNode();
      return node.star;
    }
    if (!hasWildcard(segment)) {
      if (node.named === undefined) {
        node.name = segment;
        node.named = createNode();
      }
      if (node.name === segment) return node.named;
      node.names ??= new Map();
      return childIn(node.names, segment);
    }
    const ending = segment.slice(1);
    if (segment[0] === '*' && !hasWildcard(ending) && !isLowSurrogate(ending.charCodeAt(0))) {
      node.suffixes ??= { byText: new Map(), lengths: [] };
      if (!node.suffixes.lengths.includes(ending.length)) node.suffixes.lengths.push(ending.length);
      return childIn(node.suffixes.byText, ending);
    }
    const pattern = this.#patterns.get(segment) ?? compileSegment(segment);
    this.#patterns.set(segment, pattern);
    node.patterns ??= new Map();
    return childIn(node.patterns, pattern);
  }
}

/** Half a character cannot be cut off by its length alone. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function childIn<Key>(children: Map<Key, Node>, key: Key): Node {
  const known = children.get(key);
  if (known !== undefined) return known;
  const made = createNode();
  children.set(key, made);
  return made;
}
