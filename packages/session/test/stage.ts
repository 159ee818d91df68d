import { createMemorySource, type MemorySource } from '@codicil/file-source';
import { createInstructionResolver, type InstructionResolver } from '@codicil/instruction-modules';
import {
  createMemoryJournal,
  createMemoryStore,
  type InstructionsRecord,
  type JournalEntry,
  type MemoryJournal,
  type MemoryStore,
  sessionId,
} from '@codicil/journal-records';
import { openSession, type SentRequest, type Session } from '@codicil/session';

export const RULE = '---\npaths:\n  - "src/**"\n---\nrules of src\n';

/** A conversation over a small project, step by step. */
export class Stage {
  readonly source: MemorySource;
  readonly store: MemoryStore = createMemoryStore();
  readonly resolver: InstructionResolver;
  journal: MemoryJournal;
  session: Session;
  calls = 0;

  private constructor(
    source: MemorySource,
    resolver: InstructionResolver,
    journal: MemoryJournal,
    session: Session,
    store: MemoryStore,
  ) {
    this.source = source;
    this.resolver = resolver;
    this.journal = journal;
    this.session = session;
    this.store = store;
  }

  static async open(files: Readonly<Record<string, string>>, id = 'main'): Promise<Stage> {
    const source = createMemorySource(Object.entries(files).map(([path, text]) => ({ path, text })));
    const resolver = createInstructionResolver(source);
    const store = createMemoryStore();
    const journal = createMemoryJournal({ store });
    const session = await openSession({ journal, resolver, sessionId: sessionId(id) });
    await session.start();
    return new Stage(source, resolver, journal, session, store);
  }

  /** Another process, or the same one started again. */
  async restart(id: string = this.session.id): Promise<this> {
    this.journal = createMemoryJournal({ store: this.store });
    this.session = await openSession({ journal: this.journal, resolver: this.resolver, sessionId: sessionId(id) });
    await this.session.closeCalls('cut off');
    return this;
  }

  async call(...paths: readonly string[]): Promise<readonly string[]> {
    const toolCalls = paths.map((path) => ({ id: `call-${++this.calls}`, name: 'read', input: { path } }));
    await this.session.answer({ text: '', toolCalls });
    return toolCalls.map(({ id }) => id);
  }

  async result(toolCallId: string, path: string): Promise<void> {
    await this.session.toolResult({ toolCallId, text: path, isError: false, details: { fileAccess: { path } } });
  }

  /** A step of parallel reads. */
  async touch(...paths: readonly string[]): Promise<void> {
    const ids = await this.call(...paths);
    await Promise.all(paths.map((path, index) => this.result(ids[index] ?? '', path)));
  }

  async touchAndSend(...paths: readonly string[]): Promise<SentRequest> {
    await this.touch(...paths);
    return this.session.request();
  }

  async branch(): Promise<readonly JournalEntry[]> {
    const entries: JournalEntry[] = [];
    for await (const entry of this.journal.branch(this.session.id)) entries.push(entry);
    return entries.reverse();
  }

  /** Every instruction record of the branch, oldest first. */
  async records(): Promise<readonly InstructionsRecord[]> {
    return (await this.branch()).filter(
      (entry): entry is JournalEntry & InstructionsRecord =>
        entry.kind === 'turn-context' && entry.context === 'instructions',
    );
  }
}

/** The instruction texts of a request, in order. */
export function instructionsIn({ request }: SentRequest): readonly string[] {
  return request.messages.filter(({ kind }) => kind === 'instructions').map(({ text }) => text);
}
