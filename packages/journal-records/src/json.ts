import { JournalError } from './journal.ts';

/** Text that a draft may hold in all, keys included, in UTF-16 code units (64 Mi). */
export const MAX_DRAFT_TEXT: number = 64 * 1024 * 1024;
/** Levels of lists and objects that a draft may nest. */
export const MAX_DRAFT_NESTING = 500;

/**
 * A frozen copy of a value that JSON gives back unchanged. Fields that are `undefined` are left out, as JSON does; whatever else JSON would
 * change or drop (dates, maps, `NaN`, functions, `undefined` in a list) is refused with `journal_invalid_draft`, which names the place.
 */
export function copyJson(value: unknown): unknown {
  return new JsonCopy().copy(value);
}

class JsonCopy {
  readonly #trail: (string | number)[] = [];
  #text = 0;

  copy(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        this.#count(value);
        return value;
      case 'number':
        if (!Number.isFinite(value)) return this.#refuse(`is ${value}`);
        return value === 0 ? 0 : value; // JSON has no negative zero.
      case 'boolean':
        return value;
      case 'object':
        if (value === null) return null;
        if (this.#trail.length >= MAX_DRAFT_NESTING) return this.#refuse('nests too deep or contains itself');
        return Object.freeze(Array.isArray(value) ? this.#list(value) : this.#fields(value));
      default:
        return this.#refuse(`is ${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`}`);
    }
  }

  #list(list: readonly unknown[]): unknown[] {
    const copy: unknown[] = [];
    for (let index = 0; index < list.length; index++) {
      this.#trail.push(index);
      copy.push(this.copy(list[index]));
      this.#trail.pop();
    }
    return copy;
  }

  #fields(fields: object): object {
    const prototype = Object.getPrototypeOf(fields);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) this.#refuse('is not a plain object');
    const copy: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(fields)) {
      if (value === undefined) continue;
      this.#count(key);
      this.#trail.push(key);
      // Assigning to `__proto__` would set the prototype instead of a field.
      if (key === '__proto__') Object.defineProperty(copy, key, { value: this.copy(value), enumerable: true });
      else copy[key] = this.copy(value);
      this.#trail.pop();
    }
    return copy;
  }

  #count(text: string): void {
    this.#text += text.length;
    if (this.#text > MAX_DRAFT_TEXT) this.#refuse(`brings the draft over ${MAX_DRAFT_TEXT} characters`);
  }

  #refuse(what: string): never {
    const place = this.#trail.slice(0, 10).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    throw new JournalError(
      'journal_invalid_draft',
      `draft${place.join('')} ${what}; only what JSON keeps can be recorded`,
    );
  }
}
