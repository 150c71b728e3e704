// An editor of YAML. CodeMirror makes style sheets, which the policy of the page refuses as elements; in a shadow root it makes
// constructed ones, which are permitted. So this is the only element with a shadow root.
import {EditorState, Compartment} from '@codemirror/state';
import {EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection} from '@codemirror/view';
import {defaultKeymap, history, historyKeymap} from '@codemirror/commands';
import {
  HighlightStyle,
  syntaxHighlighting,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  bracketMatching,
} from '@codemirror/language';
import {autocompletion, completionKeymap, closeBrackets, closeBracketsKeymap} from '@codemirror/autocomplete';
import {linter, lintGutter, lintKeymap, nextDiagnostic, setDiagnostics} from '@codemirror/lint';
import {yaml} from '@codemirror/lang-yaml';
import {tags} from '@lezer/highlight';
import {RulesetSchema, typesOf} from './schema.js';
import {cursorPlace, placeOf, places} from './yaml-places.js';
import {read} from './yaml-text.js';
import texts from './texts.js';

const CHECK_MS = 300;

/** Which part of a ruleset has the keys that a field names. */
const NAMED = new Map(
  Object.entries({
    metric: ['metrics'],
    achievement: ['achievements'],
    achievements: ['achievements'],
    pointsSystem: ['points'],
    breakdownAttributes: ['attributes', 'user'],
    attribute: ['attributes', 'user'],
    eventAttributes: ['attributes', 'event'],
    userAttributes: ['attributes', 'user'],
    metrics: ['metrics'],
    personalizationMetrics: ['metrics'],
  }),
);

const THEME = EditorView.theme({
  '&': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    fontSize: 'var(--size-small)',
    height: '100%',
    overflow: 'hidden',
  },
  '&.cm-focused': {outline: '2px solid var(--focus)', outlineOffset: '1px'},
  '.cm-scroller': {fontFamily: 'var(--font-fixed)', lineHeight: '1.6', overflow: 'auto'},
  '.cm-content': {caretColor: 'var(--text)', paddingBlock: '0.5rem'},
  '.cm-cursor, .cm-dropCursor': {borderLeftColor: 'var(--text)'},
  '.cm-gutters': {backgroundColor: 'var(--surface)', color: 'var(--quiet)', borderRight: '1px solid var(--line)'},
  '.cm-activeLine, .cm-activeLineGutter': {backgroundColor: 'color-mix(in srgb, var(--raised) 70%, transparent)'},
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--focus) 30%, transparent)',
  },
  '.cm-matchingBracket': {backgroundColor: 'var(--raised)', outline: '1px solid var(--line-strong)'},
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    fontFamily: 'var(--font)',
    fontSize: 'var(--size-small)',
    maxWidth: 'min(34rem, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {fontFamily: 'var(--font-fixed)', maxHeight: '16rem'},
  '.cm-tooltip-autocomplete ul li': {padding: '0.125rem 0.5rem'},
  '.cm-tooltip-autocomplete ul li[aria-selected]': {backgroundColor: 'var(--accent)', color: 'var(--on-accent)'},
  '.cm-completionDetail': {color: 'inherit', fontStyle: 'normal', paddingInlineStart: '1rem'},
  '.cm-completionInfo': {padding: '0.5rem 0.75rem', maxWidth: '24rem'},
  '.cm-diagnostic': {padding: '0.25rem 0.5rem', borderLeft: '3px solid var(--danger)', whiteSpace: 'pre-wrap'},
  '.cm-lintRange-error': {backgroundImage: 'none', textDecoration: 'underline wavy var(--danger)', textUnderlineOffset: '0.2em'},
  '.cm-lintRange-active': {backgroundColor: 'color-mix(in srgb, var(--danger) 15%, transparent)'},
  '.cm-panels': {backgroundColor: 'var(--raised)', color: 'var(--text)', borderTop: '1px solid var(--line)'},
  '.cm-panel.cm-panel-lint ul [aria-selected], .cm-panel.cm-panel-lint ul:focus [aria-selected]': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
  },
  '.cm-panel.cm-panel-lint button[name=close]': {color: 'var(--text)'},
  '.cm-foldPlaceholder': {backgroundColor: 'var(--raised)', border: '1px solid var(--line)', color: 'var(--quiet)'},
});
const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    {tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--accent)'},
    {tag: [tags.string, tags.content], color: 'var(--text)'},
    {tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic'},
    {tag: [tags.punctuation, tags.separator, tags.bracket], color: 'var(--quiet)'},
  ]),
);

/**
 * `text` is the text; `schema` a JSON Schema of rulesets, or null; `issues` what else is wrong, as `{path, message}` with JSON
 * pointers; `label` its accessible name. Dispatches `edited` when the text was changed by typing, and `checked` with the number
 * of problems. Read `text` and `document` at any time.
 */
class YamlEditor extends HTMLElement {
  #view = null;
  #schema = null;
  #issues = [];
  #initial = '';
  #readOnly = new Compartment();
  #isReadOnly = false;
  #isSet = false;

  label = '';

  connectedCallback() {
    if (this.#view !== null) {
      return;
    }
    const root = this.shadowRoot ?? this.attachShadow({mode: 'open'});
    const frame = new CSSStyleSheet();
    frame.replaceSync(
      ':host { display: block; height: 32rem; min-height: 12rem; resize: vertical; overflow: hidden; padding: 3px; } div.cm-editor { box-sizing: border-box; }',
    );
    root.adoptedStyleSheets = [frame];
    this.#view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: this.#initial,
        extensions: [
          lineNumbers(),
          foldGutter(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          drawSelection(),
          history(),
          indentOnInput(),
          indentUnit.of('  '),
          bracketMatching(),
          closeBrackets(),
          yaml(),
          THEME,
          COLOURS,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({'aria-label': this.label, tabindex: '0'}),
          this.#readOnly.of(EditorState.readOnly.of(this.#isReadOnly)),
          autocompletion({override: [context => this.#complete(context)], icons: false}),
          linter(view => this.#check(view), {delay: CHECK_MS}),
          lintGutter(),
          // Not the key Tab: it leaves the editor, as it leaves every other field.
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...lintKeymap,
            ...foldKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          EditorView.updateListener.of(update => {
            if (update.docChanged && !this.#isSet) {
              this.dispatchEvent(new CustomEvent('edited', {bubbles: true}));
            }
          }),
        ],
      }),
    });
  }

  disconnectedCallback() {
    this.#initial = this.text;
    this.#view?.destroy();
    this.#view = null;
  }

  get text() {
    return this.#view === null ? this.#initial : this.#view.state.doc.toString();
  }

  set text(text) {
    this.#initial = text;
    if (this.#view !== null && text !== this.text) {
      this.#isSet = true;
      this.#view.dispatch({changes: {from: 0, to: this.#view.state.doc.length, insert: text}});
      this.#isSet = false;
    }
  }

  /** What the text means; null while it is no YAML. */
  get document() {
    return read(this.text).value ?? null;
  }

  set schema(schema) {
    if (schema !== (this.#schema?.root ?? null)) {
      this.#schema = schema === null ? null : new RulesetSchema(schema);
      this.#checkNow();
    }
  }

  set issues(issues) {
    if (issues !== this.#issues) {
      this.#issues = issues;
      this.#checkNow();
    }
  }

  set readOnly(isReadOnly) {
    this.#isReadOnly = isReadOnly;
    this.#view?.dispatch({effects: this.#readOnly.reconfigure(EditorState.readOnly.of(isReadOnly))});
  }

  focus() {
    this.#view?.focus();
  }

  /** Moves the cursor to what a JSON pointer names. */
  show(path) {
    const place = placeOf(places(this.#view.state), path);
    this.#view.dispatch({selection: {anchor: place.from}, effects: EditorView.scrollIntoView(place.from, {y: 'center'})});
    this.#view.focus();
  }

  /** Moves the cursor to the next problem behind it, or to the first one. */
  showNext() {
    nextDiagnostic(this.#view);
    this.#view.focus();
  }

  #checkNow() {
    if (this.#view !== null) {
      this.#view.dispatch(setDiagnostics(this.#view.state, this.#check(this.#view)));
    }
  }

  #check(view) {
    const {value, error} = read(view.state.doc.toString());
    let found;
    if (error !== undefined) {
      const from = Math.min(error.from, view.state.doc.length);
      const line = view.state.doc.lineAt(from);
      found = [{from: line.from + line.text.search(/\S|$/), to: line.to, severity: 'error', message: error.message}];
    } else {
      const all = places(view.state);
      const own = this.#schema?.problems(value) ?? [];
      const said = new Set(this.#issues.map(issue => issue.path));
      found = [...this.#issues, ...own.filter(problem => !said.has(problem.path))].map(({path, message}) => {
        const {from, to} = placeOf(all, path);
        return {from, to, severity: 'error', message};
      });
    }
    this.dispatchEvent(new CustomEvent('checked', {detail: found.length}));
    return found;
  }

  #complete(context) {
    const place = cursorPlace(context.state, context.pos);
    if (place === null || this.#schema === null || (!context.explicit && place.typed === '' && !place.isValue)) {
      return null;
    }
    const schema = this.#schema.at(place.path);
    const options = [
      ...(place.isValue || place.path.at(-1) === 0 ? this.#values(schema, place.path) : []),
      ...(place.isValue ? [] : this.#keys(schema, place)),
    ];
    return options.length === 0 ? null : {from: context.pos - place.typed.length, options, validFor: /^[\w.-]*$/};
  }

  #values(schema, path) {
    const names = NAMED.get(path.filter(step => typeof step === 'string').at(-1));
    const named =
      names === undefined || (schema?.type !== undefined && !typesOf(schema).includes('string'))
        ? []
        : Object.keys(names.reduce((at, name) => at?.[name], this.document ?? this.#lastDocument()) ?? {});
    const listed =
      schema === null ? [] : (schema.enum ?? (typesOf(schema).includes('boolean') ? [true, false] : (schema.examples ?? [])));
    return [...listed, ...named].map(value => ({
      label: String(value),
      type: 'constant',
      detail: value === schema?.default ? texts.editor.isDefault : undefined,
    }));
  }

  #keys(schema, {path, siblings}) {
    const named =
      schema?.additionalProperties && typeof schema.additionalProperties === 'object' ? NAMED.get(path.at(-1)) : undefined;
    const known =
      named === undefined || path.length < 2
        ? []
        : Object.keys(named.reduce((at, name) => at?.[name], this.document ?? this.#lastDocument()) ?? {}).map(name => [
            name,
            {},
          ]);
    return [...Object.entries(schema?.properties ?? {}), ...known]
      .filter(([name]) => !siblings.has(name))
      .map(([name, field]) => {
        const resolved = this.#schema.at([...path, name]) ?? field;
        const isMap = typesOf(resolved).includes('object');
        return {
          label: name,
          apply: isMap ? `${name}:` : `${name}: `,
          type: 'property',
          boost: schema.required?.includes(name) ? 2 : name === 'id' ? -2 : 0,
          detail: schema.required?.includes(name)
            ? texts.editor.isRequired
            : resolved.default === undefined
              ? undefined
              : String(resolved.default),
          info: resolved.description,
        };
      });
  }

  /** While a line is typed, the text is often no YAML: the lines but that one. */
  #lastDocument() {
    const {state} = this.#view;
    const line = state.doc.lineAt(state.selection.main.head);
    return read(state.sliceDoc(0, line.from) + state.sliceDoc(Math.min(line.to + 1, state.doc.length))).value;
  }
}
customElements.define('yaml-editor', YamlEditor);
