/**
 * Time of a memory world. Files are stamped with whole ticks, so two edits within a tick look alike. Without a granularity every edit has a
 * tick of its own and no stamp is ever too young.
 */
export interface WorldClock {
  /** The tick that an entry touched now is stamped with. */
  tick(): number;
  /** Called around each edit. */
  onEdit(): void;
  advance(milliseconds: number): void;
}

export function worldClock(granularity: number | undefined): WorldClock {
  const size = granularity ?? 1;
  // Away from a tick's border, so that a small step stays within the tick.
  let now = 1_000 * size;
  return {
    tick: () => Math.floor(now / size),
    onEdit() {
      if (granularity === undefined) now += 1;
    },
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}
