import pc from 'picocolors';

export type Colors = ReturnType<typeof pc.createColors>;

/** Colour functions, or functions that leave the text as it is. */
export function colors(enabled: boolean): Colors {
  return pc.createColors(enabled);
}
