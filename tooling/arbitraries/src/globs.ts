import fc from 'fast-check';
import { anyName, anyNameCharacter, nameCharacter } from './names.ts';

/** A project path. */
export const anyPath = (): fc.Arbitrary<string> =>
  fc.array(anyName(), { minLength: 1, maxLength: 6 }).map((segments) => segments.join('/'));

const globSegment = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant('**') },
    { weight: 2, arbitrary: anyName() },
    {
      weight: 4,
      arbitrary: fc
        .array(fc.oneof(fc.constantFrom('*', '?', '**'), nameCharacter()), { minLength: 1, maxLength: 6 })
        .map((parts) => parts.join(''))
        .filter((name) => name !== '.' && name !== '..'),
    },
  );

/** The text of a glob that the dialect accepts (its length aside). */
export const anyGlobText = (): fc.Arbitrary<string> =>
  fc.array(globSegment(), { minLength: 1, maxLength: 6 }).map((segments) => segments.join('/'));

/** A glob that was made from a path by putting operators into it, so that it matches more often than not; now and then with another character. */
export const anyGlobFor = (path: string): fc.Arbitrary<string> => {
  const segments = path.split('/');
  const form = fc.nat({ max: 9 });
  return fc
    .tuple(...segments.map((segment) => fc.tuple(anyVariant(segment), form, fc.nat({ max: segment.length }))))
    .map((choices) => choices.flatMap(([segment, choice, cut]) => withOperator(segment, choice, cut)).join('/'));
};

/** The segment, or one that differs in a single character: it matches only if that character is taken for an operator. */
function anyVariant(segment: string): fc.Arbitrary<string> {
  const characters = [...segment];
  const changed = fc
    .tuple(fc.nat({ max: characters.length - 1 }), anyNameCharacter())
    .map(([at, character]) => characters.with(at, character).join(''))
    .filter((name) => name !== '.' && name !== '..');
  return fc.oneof({ weight: 4, arbitrary: fc.constant(segment) }, { weight: 1, arbitrary: changed });
}

function withOperator(segment: string, choice: number, cut: number): readonly string[] {
  const characters = [...segment];
  switch (choice) {
    case 0:
      return ['**'];
    case 1:
      return ['*'];
    case 2:
      return ['**', segment];
    case 3:
    case 4:
      return [`*${characters.slice(cut).join('')}`];
    case 5:
      return [`?${characters.slice(1).join('')}`];
    case 6:
      return [`${characters.slice(0, cut).join('')}*`];
    case 7:
      return [segment, '**'];
    default:
      return [segment];
  }
}

export const anyGlobAndPath = (): fc.Arbitrary<{ readonly glob: string; readonly path: string }> =>
  anyPath().chain((path) => anyGlobFor(path).map((glob) => ({ glob, path })));

/** Any text at all, most of it misspelled globs. */
export const anyText = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom('/', '//', './', '../', '\\', 'C:', '*', '**', '{a,b}', ',', ' ', '!'),
        fc.string({ unit: 'binary', maxLength: 3 }),
      ),
      {
        maxLength: 8,
      },
    )
    .map((parts) => parts.join(''));
