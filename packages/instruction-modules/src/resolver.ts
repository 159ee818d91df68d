import type { FileSource } from '@codicil/file-source';
import type { InventoryResolver, Resolution } from './contract.ts';
import { emptyRules, type RulesState } from './discovery/rules-state.ts';
import { refreshRules } from './discovery/rules-tree.ts';
import { explainResolutions } from './explain/explanation.ts';
import { takeInventory } from './explain/inventory.ts';
import { defaultLayout, type Layout } from './layout/layout.ts';
import { placesOf } from './layout/places.ts';
import type { Call } from './resolve/call.ts';
import { emptySelection, type Selection } from './resolve/selection.ts';
import { startSlices } from './resolve/slices.ts';
import { resolveStartup, type Startup } from './resolve/startup.ts';
import { statusOf } from './resolve/status.ts';
import { resolveTouched, type Touched } from './resolve/touched.ts';
import { locateTouches, type Touches } from './resolve/touches.ts';

export interface ResolverOptions {
  /** Left out: {@link defaultLayout}. */
  readonly layout?: Layout | undefined;
  /**
   * Whether what was read is remembered between calls, as far as the source proves it unchanged. The answers are the same either way (invariant R5).
   * Left out: `true`.
   */
  readonly cache?: boolean | undefined;
}

/**
 * A resolver over the files of a source. Calls may overlap: each answers as of some moment while it ran. What is remembered between calls holds no
 * texts: paths, stamps, hashes and conditions alone.
 */
export function createInstructionResolver(source: FileSource, o: ResolverOptions = {}): InventoryResolver {
  const layout = o.layout ?? defaultLayout;
  const places = placesOf(layout, source.ignoresCase);
  const remembers = o.cache ?? true;
  // Whoever finishes last leaves what it knows. A loss costs work, never an answer: nothing is used that is not proved again.
  let remembered: { readonly rules: RulesState; readonly selection: Selection } = {
    rules: emptyRules,
    selection: emptySelection,
  };

  function begin(signal: AbortSignal | undefined): Call {
    signal?.throwIfAborted();
    return { source, layout, places, slices: startSlices(signal), signal };
  }

  async function refresh(call: Call): Promise<RulesState> {
    const rules = await refreshRules(call, remembers ? remembered.rules : emptyRules);
    if (remembers) remembered = { ...remembered, rules };
    return rules;
  }

  async function touched(call: Call, rules: RulesState, touches: Touches): Promise<Touched> {
    const result = await resolveTouched(call, rules, touches, remembered.selection);
    if (remembers) remembered = { ...remembered, selection: result.selection };
    return result;
  }

  const resolutionOf = ({ modules, unavailable, diagnostics }: Startup | Touched): Resolution => ({
    modules,
    unavailable,
    diagnostics,
  });

  return {
    async startup(options) {
      const call = begin(options?.signal);
      return resolutionOf(await resolveStartup(call, await refresh(call)));
    },
    async forPaths(paths, options) {
      const call = begin(options?.signal);
      const touches = await locateTouches(source, paths, call.signal);
      if (touches.inside.length === 0) {
        return { modules: [], unavailable: touches.unavailable, diagnostics: touches.diagnostics };
      }
      return resolutionOf(await touched(call, await refresh(call), touches));
    },
    async explain(paths, options) {
      const call = begin(options?.signal);
      const touches = await locateTouches(source, paths, call.signal);
      const rules = await refresh(call);
      const startup = await resolveStartup(call, rules);
      return explainResolutions(call, rules, touches, startup, await touched(call, rules, touches));
    },
    async inventory(options) {
      const call = begin(options.signal);
      const rules = await refresh(call);
      return takeInventory(call, rules, await resolveStartup(call, rules), options);
    },
    async status(relPaths, options) {
      return statusOf(begin(options?.signal), relPaths);
    },
  };
}
