/** Every invariant, by number: the property that pins it bears the number at the head of its title. `docs/architecture.md` tells them in words. */
export const INVARIANTS: readonly string[] = [
  ...['F1', 'F2', 'F3'],
  ...['G1', 'G2', 'G3'],
  ...['S1', 'S2', 'S3'],
  ...['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7'],
  ...['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7'],
  ...['J1', 'J2', 'J3', 'J4', 'J5', 'J6'],
  ...['D1', 'D2'],
  ...['P1'],
];
