// Settings: of the account, of messages' appearance, who may call the API, tenants, and the audit log.
import {Page, html, nothing, Loading, card, choice, table} from '../page.js';
import {all, get, json, page, query, saveCsv, session, single} from '../api.js';
import {attempt, field, named, results, secret, tick, whole} from '../parts.js';
import {formats} from '../format.js';
import texts from '../texts.js';

const SECTIONS = ['account', 'branding', 'keys', 'application-keys', 'tenants', 'sign-in', 'audit'];
const ROLES = ['viewer', 'support', 'editor', 'admin'];
const APPLICATION_ROLES = ['viewer', 'support'];
const OUTCOMES = ['accepted', 'unknown', 'refused'];
const AUDIT_FILTERS = ['from', 'to', 'author', 'operation', 'object', 'outcome'];
const PAGE = 50;
const FONTS = [
  'MODERN_SANS',
  'BOOK_SANS',
  'ORGANIC_SANS',
  'GEOMETRIC_SANS',
  'HEAVY_SANS',
  'ROUNDED_SANS',
  'MODERN_SERIF',
  'BOOK_SERIF',
  'MONOSPACE',
];

/** The settings of an account, by the group in which they are shown. `at` is the path in the body. */
const ACCOUNT = {
  users: [
    {name: 'controlRatio', kind: 'number', min: 0, max: 100},
    {name: 'userActivationWindow', at: ['experimentation', 'userActivationWindow'], kind: 'number', min: 3, max: 30},
    {name: 'defaultTimeZone', kind: 'zone'},
    {name: 'weekStartsOn', kind: 'choice', options: ['sunday', 'monday']},
    {name: 'integerLeaderboardValues', kind: 'tick'},
  ],
  messages: [
    {name: 'messageTimeZone', kind: 'zone'},
    {name: 'trackOpens', kind: 'tick'},
    {name: 'trackClicks', kind: 'tick'},
  ],
  service: [
    {name: 'analyticsRetentionDays', kind: 'number', min: 91, max: 36525},
    {name: 'applicationKeysEnabled', kind: 'tick'},
    {name: 'tier1', at: ['rateLimits', 'tier1'], kind: 'optional', min: 1},
    {name: 'tier2', at: ['rateLimits', 'tier2'], kind: 'optional', min: 1},
  ],
};
const BRANDING = {
  branding: [
    {name: 'appName', kind: 'text', maxLength: 255},
    {name: 'appUrl', kind: 'url'},
    {name: 'logoUrl', at: ['logo', 'url'], kind: 'url'},
    {name: 'appIconUrl', at: ['appIcon', 'url'], kind: 'url'},
    {name: 'brandColor', kind: 'text'},
    {name: 'font', kind: 'font'},
  ],
};

const pathOf = setting => setting.at ?? [setting.name];
const valueAt = (object, path) => path.reduce((at, name) => at?.[name], object) ?? null;

class SettingsPage extends Page {
  static properties = {
    section: {},
    parameters: {attribute: false},
    done: {state: true},
    error: {state: true},
    secret: {state: true},
    skip: {state: true},
    userId: {state: true},
  };

  #value = new Loading(this);

  constructor() {
    super();
    Object.assign(this, {section: SECTIONS[0], done: null, error: null, secret: null, skip: 0, userId: ''});
  }

  get sections() {
    return SECTIONS.filter(name =>
      name === 'audit' ? session.may('admin') : !['keys', 'tenants'].includes(name) || session.current.tenant === null,
    );
  }

  /** Whether the session may change what concerns all tenants. */
  get isOwner() {
    return session.may('admin') && session.current.tenant === null;
  }

  get dialog() {
    return this.querySelector('confirm-dialog');
  }

  willUpdate(changed) {
    if (changed.has('section') && changed.get('section') !== undefined) {
      Object.assign(this, {done: null, error: null, secret: null, skip: 0});
      this.#value.value = undefined;
    }
    if (changed.has('section') || changed.has('parameters')) {
      this.userId = this.parameters.get('user') ?? '';
      this.load();
    }
  }

  load() {
    return this.#value.run(signal =>
      ({
        account: () => get('/admin/v1/settings', signal),
        branding: () => get('/admin/v1/settings', signal),
        keys: async () => ({keys: await all('/admin/v1/admin-api-keys'), tenants: session.tenants}),
        'application-keys': () =>
          get(query('/admin/v1/application-api-keys', {userId: this.userId, limit: PAGE, skip: this.skip}), signal),
        tenants: async () => {
          const settings = await get('/admin/v1/settings', signal);
          return {
            isOn: settings.multiTenancyEnabled,
            tenants: settings.multiTenancyEnabled ? await all('/admin/v1/tenants') : [],
          };
        },
        'sign-in': () => get('/admin/v1/session/providers', signal),
        audit: () => page(this.auditPath({limit: PAGE, after: this.parameters.get('after')}), signal),
      })[this.section](),
    );
  }

  render() {
    const show = {
      account: settings => this.form(settings, ACCOUNT),
      branding: settings => this.form(settings.branding, BRANDING, 'branding'),
      keys: value => this.keys(value),
      'application-keys': keys => this.applicationKeys(keys),
      tenants: value => this.tenants(value),
      'sign-in': providers => this.signIn(providers),
      audit: found => this.audit(found),
    };
    return html`<div class="page">
      <h1 tabindex="-1">${texts.pages.settings}</h1>
      <nav class="tabs" aria-label=${texts.settings.sections}>${this.sections.map(
        name => html`
        <a href="#/settings/${name}" aria-current=${name === this.section ? 'page' : nothing}>${texts.settings.names[name]}</a>`,
      )}</nav>
      ${results(this)}
      ${this.secret === null ? nothing : secret(this.secret.heading, this.secret.text, texts.settings.once)}
      ${this.sections.includes(this.section) ? this.#value.render(show[this.section]) : nothing}
      <confirm-dialog></confirm-dialog>
    </div>`;
  }

  // The forms of the account and of branding.

  form(values, groups, parent) {
    const isReadOnly = !session.may('admin');
    return html`<form class="page" @submit=${event => this.save(event, values, groups, parent)}>
      ${isReadOnly ? html`<p class="note">${texts.settings.readOnly}</p>` : nothing}
      <div class="cards">${Object.entries(groups).map(
        ([
          group,
          settings,
        ]) => html`<fieldset class="card" ?disabled=${isReadOnly}><legend class="legend">${texts.settings.groups[group]}</legend>
        ${settings.map(setting => this.control(setting, valueAt(values, pathOf(setting))))}</fieldset>`,
      )}</div>
      <datalist id="zones">${Intl.supportedValuesOf('timeZone').map(zone => html`<option value=${zone}></option>`)}</datalist>
      <datalist id="fonts">${FONTS.map(font => html`<option value=${font}></option>`)}</datalist>
      ${isReadOnly ? nothing : html`<div class="row"><button class="main">${texts.settings.save}</button></div>`}
    </form>`;
  }

  control({name, kind, min, max, maxLength, options}, value) {
    const {label, about} = texts.settings.fields[name];
    if (kind === 'tick') {
      return tick(label, {name, isTicked: value === true}, about);
    }
    if (kind === 'choice') {
      return html`<div>${choice(
        name,
        label,
        value,
        options.map(option => [option, texts.settings.choices[option]]),
      )}<p class="small quiet">${about}</p></div>`;
    }
    if (kind === 'zone' || kind === 'font') {
      return html`<div class="field"><label for=${name}>${label}</label>
        <input id=${name} name=${name} list=${kind === 'zone' ? 'zones' : 'fonts'} required autocomplete="off" spellcheck="false" aria-describedby="${name}-about" .value=${value ?? ''}>
        <p class="small quiet" id="${name}-about">${about}</p></div>`;
    }
    return field(
      label,
      {
        name,
        value,
        min,
        max,
        maxLength,
        type: kind === 'url' ? 'url' : kind === 'text' ? 'text' : 'number',
        required: kind === 'number',
      },
      about,
    );
  }

  async save(event, values, groups, parent) {
    event.preventDefault();
    const given = new FormData(event.target);
    const changes = {};
    for (const setting of Object.values(groups).flat()) {
      const text = String(given.get(setting.name) ?? '').trim();
      const value =
        setting.kind === 'tick'
          ? given.has(setting.name)
          : ['number', 'optional'].includes(setting.kind)
            ? text === ''
              ? null
              : Number(text)
            : text;
      if (value !== (valueAt(values, pathOf(setting)) ?? (typeof value === 'string' ? '' : null))) {
        const [first, second] = pathOf(setting);
        if (second === undefined) {
          changes[first] = value;
        } else if (second === 'url') {
          changes[first] = value === '' ? null : {url: value};
        } else {
          // Both limits, which are one value; of others the changed field, since one has a second name.
          changes[first] = {...(first === 'rateLimits' ? values[first] : {}), ...changes[first], [second]: value};
        }
      }
    }
    if (Object.keys(changes).length === 0) {
      Object.assign(this, {done: texts.settings.unchanged, error: null});
      return;
    }
    const isSaved = await attempt(this, texts.settings.saved, async () => {
      await json('PATCH', '/admin/v1/settings', parent === undefined ? changes : {[parent]: changes});
      // Before it is said: the form shows what it loads, and replaces what has been typed since.
      await this.load();
    });
    if (!isSaved) {
      const wrong = Object.values(groups)
        .flat()
        .find(setting => this.error.includes(setting.name));
      const control = wrong && event.target.elements[wrong.name];
      control?.setAttribute('aria-invalid', 'true');
      control?.addEventListener('input', () => control.removeAttribute('aria-invalid'), {once: true});
      control?.focus();
    }
  }

  // Admin keys.

  keys({keys, tenants}) {
    const isOwner = this.isOwner;
    return html`
      ${
        isOwner
          ? card(
              texts.settings.newKey,
              html`<form class="row" @submit=${this.createKey}>
        ${field(texts.settings.keyName, {name: 'name', required: true, maxLength: 255})}
        ${choice(
          'role',
          texts.settings.role,
          'viewer',
          ROLES.map(role => [role, texts.roles[role]]),
        )}
        ${tenants.length === 0 ? nothing : choice('bound', texts.settings.boundTo, '', [['', texts.settings.allTenants], ...tenants.map(one => [one.customerId, one.name])])}
        ${field(texts.settings.expiresOrNever, {name: 'expires', form: 'new-', type: 'datetime-local'})}
        <button class="main">${texts.settings.create}</button></form>
        <dl class="facts small">${ROLES.map(role => html`<dt>${texts.roles[role]}</dt><dd>${texts.settings.roles[role]}</dd>`)}</dl>`,
            )
          : nothing
      }
      ${card(
        texts.settings.names.keys,
        table(
          texts.settings.names.keys,
          [
            {name: texts.settings.keyName},
            {name: texts.settings.prefix},
            {name: texts.settings.role},
            {name: texts.settings.boundTo},
            {name: texts.settings.status},
            {name: texts.settings.created},
            {name: texts.settings.expires},
            {name: texts.settings.lastUsed},
            ...(isOwner ? [{name: texts.settings.actions}] : []),
          ],
          keys.map(key => [
            key.name,
            html`<code class="whole">${key.prefix}</code>`,
            whole(texts.roles[key.role]),
            key.tenant ?? texts.settings.allTenants,
            whole(texts.settings.keyStates[key.status]),
            formats.dateTime(key.created),
            endOf(key),
            formats.dateTime(key.lastUsed),
            ...(isOwner
              ? [
                  html`<div class="row tight">
          ${
            key.status === 'active'
              ? html`
            <button class="plain" @click=${() => this.askForRole(key)}>${texts.settings.change}…${named(key)}</button>
            <button class="plain" @click=${() => this.ask('rotate', key, async () => this.showOnce(key.name, (await json('POST', `/admin/v1/admin-api-keys/${key.id}/rotate`)).key))}>${texts.settings.rotate}…${named(key)}</button>
            <button class="plain" @click=${() => this.ask('revoke', key, () => this.changeKey({id: key.id, status: 'inactive'}))}>${texts.settings.revoke}…${named(key)}</button>`
              : html`
            <button class="plain" @click=${() => this.ask('activate', key, () => this.changeKey({id: key.id, status: 'active'}))}>${texts.settings.activate}…${named(key)}</button>
            <button class="plain" @click=${() => this.ask('delete', key, () => single('DELETE', query('/admin/v1/admin-api-keys', {ids: key.id})))}>${texts.settings.delete}…${named(key)}</button>`
          }</div>`,
                ]
              : []),
          ]),
        ),
      )}`;
  }

  changeKey(change) {
    return single('PATCH', '/admin/v1/admin-api-keys', [change]);
  }

  showOnce(name, key) {
    this.secret = {heading: texts.settings.keyOf(name), text: key};
  }

  async createKey(event) {
    event.preventDefault();
    const form = event.target;
    const given = new FormData(form);
    const key = {name: given.get('name'), role: given.get('role'), tenant: given.get('bound') || null, ...endIn(given)};
    this.secret = null;
    if (
      await attempt(this, texts.settings.keyCreated(key.name), async () => {
        const {created} = await single('POST', '/admin/v1/admin-api-keys', [key]);
        this.showOnce(key.name, created[0].key);
      })
    ) {
      form.reset();
      await this.load();
    }
  }

  askForRole(key) {
    this.dialog.ask({
      title: texts.settings.changeTitle(key.name),
      button: texts.settings.save,
      body: html`${field(texts.settings.keyName, {name: 'name', form: 'change-', value: key.name, required: true, maxLength: 255})}
        <div class="field"><label for="change-role">${texts.settings.role}</label><select id="change-role" name="role">${ROLES.map(role => html`<option value=${role} .selected=${role === key.role}>${texts.roles[role]}</option>`)}</select></div>`,
      act: async given => {
        await this.changeKey({id: key.id, name: given.get('name'), role: given.get('role')});
        await this.finish(texts.settings.saved);
      },
    });
  }

  /** Asks before `act`, which is named by its texts. */
  ask(action, one, act) {
    const {title, about, button, done} = texts.settings.questions[action];
    this.secret = null;
    this.dialog.ask({
      title: title(one.name),
      body: html`<p>${about}</p>`,
      button,
      isDanger: action !== 'activate',
      act: async () => {
        await act();
        await this.finish(done(one.name));
      },
    });
  }

  async finish(done) {
    Object.assign(this, {done, error: null});
    await this.load();
  }

  // Application keys.

  applicationKeys(keys) {
    const mayChange = session.may('support');
    return html`
      ${
        mayChange
          ? card(
              texts.settings.newApplicationKey,
              html`<p class="quiet">${texts.settings.applicationKeysAbout}</p><form class="row" @submit=${this.createApplicationKey}>
        ${field(texts.settings.userId, {name: 'userId', form: 'new-', required: true, maxLength: 255})}
        ${choice(
          'role',
          texts.settings.role,
          'viewer',
          APPLICATION_ROLES.map(role => [role, texts.roles[role]]),
        )}
        ${field(texts.settings.expiresOrNever, {name: 'expires', form: 'new-', type: 'datetime-local'})}
        <button class="main">${texts.settings.create}</button></form>
        <dl class="facts small">${APPLICATION_ROLES.map(role => html`<dt>${texts.roles[role]}</dt><dd>${texts.settings.applicationRoles[role]}</dd>`)}</dl>`,
            )
          : nothing
      }
      ${card(
        texts.settings.names['application-keys'],
        html`
        <form class="row" role="search" @submit=${this.filterByUser}>${field(texts.settings.ofUser, {name: 'userId', form: 'of-', value: this.userId})}<button>${texts.settings.show}</button></form>
        ${
          keys.length === 0
            ? html`<p class="quiet">${texts.nothing}</p>`
            : table(
                texts.settings.names['application-keys'],
                [
                  {name: texts.settings.prefix},
                  {name: texts.settings.userId},
                  {name: texts.settings.role},
                  {name: texts.settings.created},
                  {name: texts.settings.expires},
                  {name: texts.settings.lastUsed},
                  ...(mayChange ? [{name: texts.settings.actions}] : []),
                ],
                keys.map(key => [
                  html`<code class="whole">${key.prefix}</code>`,
                  html`<a href="#/users/${encodeURIComponent(key.userId)}">${key.userId}</a>`,
                  whole(texts.roles[key.role]),
                  formats.dateTime(key.created),
                  endOf(key),
                  formats.dateTime(key.lastUsed),
                  ...(mayChange
                    ? [
                        html`<button class="plain" @click=${() => this.ask('deleteApplicationKey', {name: key.userId}, () => single('DELETE', query('/admin/v1/application-api-keys', {ids: key.id})))}>${texts.settings.revoke}…${named({name: key.prefix})}</button>`,
                      ]
                    : []),
                ]),
              )
        }
        <div class="row">${this.skip > 0 ? html`<button @click=${() => this.move(-PAGE)}>${texts.settings.back}</button>` : nothing}
          ${keys.length === PAGE ? html`<button @click=${() => this.move(PAGE)}>${texts.settings.next}</button>` : nothing}</div>`,
      )}`;
  }

  move(count) {
    this.skip += count;
    this.load();
  }

  filterByUser(event) {
    event.preventDefault();
    this.userId = new FormData(event.target).get('userId').trim();
    this.skip = 0;
    this.load();
  }

  async createApplicationKey(event) {
    event.preventDefault();
    const form = event.target;
    const given = new FormData(form);
    const userId = given.get('userId');
    this.secret = null;
    if (
      await attempt(this, texts.settings.keyCreated(userId), async () => {
        const {created} = await single('POST', '/admin/v1/application-api-keys', [
          {userId, role: given.get('role'), ...endIn(given)},
        ]);
        this.showOnce(userId, created[0].key);
      })
    ) {
      form.reset();
      await this.load();
    }
  }

  // Tenants.

  tenants({isOn, tenants}) {
    if (!isOn) {
      return card(
        texts.settings.names.tenants,
        html`<p>${texts.settings.tenantsOff}</p>
        ${this.isOwner ? html`<p>${texts.settings.firstTenant}</p><form class="row" @submit=${this.switchOn}>${this.tenantFields()}<button>${texts.settings.switchOn}…</button></form>` : nothing}`,
      );
    }
    return html`
      ${this.isOwner ? card(texts.settings.newTenant, html`<form class="row" @submit=${this.createTenant}>${this.tenantFields()}<button class="main">${texts.settings.create}</button></form>`) : nothing}
      ${card(
        texts.settings.names.tenants,
        table(
          texts.settings.names.tenants,
          [
            {name: texts.settings.tenantName},
            {name: texts.settings.customerId},
            {name: texts.settings.status},
            {name: texts.settings.created},
            ...(this.isOwner ? [{name: texts.settings.actions}] : []),
          ],
          tenants.map(one => [
            one.name,
            html`<code>${one.customerId}</code>`,
            whole(texts.settings.tenantStates[one.status]),
            formats.dateTime(one.created),
            ...(this.isOwner
              ? [
                  one.status === 'active'
                    ? html`<button class="plain" @click=${() =>
                        this.ask('archive', one, async () => {
                          await single('DELETE', query('/admin/v1/tenants', {ids: one.id}));
                        })}>${texts.settings.archive}…${named(one)}</button>`
                    : nothing,
                ]
              : []),
          ]),
        ),
      )}`;
  }

  tenantFields() {
    return html`${field(texts.settings.customerId, {name: 'customerId', required: true, maxLength: 255})}${field(texts.settings.tenantName, {name: 'name', required: true, maxLength: 255})}`;
  }

  async createTenant(event) {
    event.preventDefault();
    const form = event.target;
    const tenant = Object.fromEntries(new FormData(form));
    if (await attempt(this, texts.settings.tenantCreated(tenant.name), () => single('POST', '/admin/v1/tenants', [tenant]))) {
      form.reset();
      await this.load();
    }
  }

  switchOn(event) {
    event.preventDefault();
    const firstTenant = Object.fromEntries(new FormData(event.target));
    this.dialog.ask({
      title: texts.settings.switchOnTitle,
      body: html`<p>${texts.settings.switchOnAbout(firstTenant.name)}</p>`,
      button: texts.settings.switchOn,
      isDanger: true,
      act: async () => {
        await json('PATCH', '/admin/v1/settings', {multiTenancyEnabled: true, firstTenant});
        location.reload(); // every request names a tenant from now on
      },
    });
  }

  // How people sign in.

  signIn({oidc}) {
    const {name, role, tenant, expiresAt} = session.current;
    return html`<div class="cards">
      ${card(texts.settings.providers, oidc === null ? html`<p>${texts.settings.noProvider}</p><pre class="value">${texts.settings.providerOptions}</pre>` : html`<p>${texts.settings.provider(oidc.name)}</p>`)}
      ${card(
        texts.settings.thisSession,
        html`<dl class="facts"><dt>${texts.settings.keyName}</dt><dd>${name}</dd><dt>${texts.settings.role}</dt><dd>${texts.roles[role]}</dd>
        <dt>${texts.settings.boundTo}</dt><dd>${tenant ?? texts.settings.allTenants}</dd><dt>${texts.settings.expires}</dt><dd>${formats.dateTime(expiresAt)}</dd></dl>`,
      )}</div>`;
  }

  // The audit log.

  auditPath(more) {
    return query('/admin/v1/audit', {
      ...Object.fromEntries(AUDIT_FILTERS.map(name => [name, this.parameters.get(name)])),
      ...more,
    });
  }

  audit({items, next}) {
    const given = name => this.parameters.get(name) ?? '';
    return card(
      texts.settings.names.audit,
      html`
      <form class="row" role="search" @submit=${this.filterAudit}>
        ${['from', 'to'].map(name => field(texts.settings.filters[name], {name, value: given(name), type: 'date'}))}
        ${['author', 'operation', 'object'].map(name => field(texts.settings.filters[name], {name, value: given(name)}))}
        ${choice('outcome', texts.settings.filters.outcome, given('outcome'), [['', texts.settings.anyOutcome], ...OUTCOMES.map(one => [one, texts.settings.outcomes[one]])])}
        <button>${texts.settings.show}</button>
        <button type="button" @click=${() => attempt(this, null, () => saveCsv(this.auditPath({}), 'audit'))}>${texts.chart.csv}</button></form>
      ${
        items.length === 0
          ? html`<p class="quiet">${next === null ? texts.settings.noRecords : texts.settings.noRecordsYet}</p>`
          : table(
              texts.settings.names.audit,
              [
                {name: texts.settings.at},
                {name: texts.settings.filters.author},
                {name: texts.settings.what},
                {name: texts.settings.filters.object},
                {name: texts.settings.filters.outcome},
              ],
              items.map(one => [
                formats.dateTime(one.time),
                one.author.name,
                html`${one.summary}<br><code class="quiet">${one.operation}</code>`,
                html`${one.objects.slice(0, 5).map((object, i) => html`${i > 0 ? ', ' : nothing}${object.kind} ${object.name ?? object.id ?? ''}`)}${one.count > Math.min(5, one.objects.length) ? texts.settings.ofAll(one.count) : nothing}
            ${one.ruleset && one.ruleset.before !== one.ruleset.after ? html`<br><a href="#/rules?from=${one.ruleset.before}&to=${one.ruleset.after}">${texts.settings.versions(one.ruleset.before, one.ruleset.after)}</a>` : nothing}`,
                html`${whole(texts.settings.outcomes[one.outcome])}${one.reason === null ? nothing : html`<br><span class="quiet">${one.reason}</span>`}`,
              ]),
            )
      }
      ${next === null ? nothing : html`<p><a class="button" href=${`#${query('/settings/audit', {...Object.fromEntries(AUDIT_FILTERS.map(name => [name, given(name)])), after: next})}`}>${texts.settings.older}</a></p>`}`,
    );
  }

  filterAudit(event) {
    event.preventDefault();
    location.hash = query(
      '/settings/audit',
      Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, String(value).trim()])),
    );
  }
}
customElements.define('settings-page', SettingsPage);

/** The end of a key, as the list shows it. */
const endOf = ({expires}) => (expires === undefined ? texts.settings.neverExpires : formats.dateTime(expires));

/** The end in a form, which may be left empty. */
function endIn(given) {
  const expires = given.get('expires');
  return expires === '' ? {} : {expires: new Date(expires).toISOString()};
}
