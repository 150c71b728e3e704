'use strict';
/* The OpenAPI documents, as tools read them: a parser, a linter and a generator. LAUREL_DOCUMENTS: the folder they are in. */
const assert = require('node:assert/strict');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { test } = require('node:test');
const { pathToFileURL } = require('node:url');
const SwaggerParser = require('@apidevtools/swagger-parser');
const { createConfig, lint } = require('@redocly/openapi-core');
const ts = require('typescript');

const folder = process.env.LAUREL_DOCUMENTS;
const names = ['application', 'admin'];

/* Code of a client; lines after @ts-expect-error must not compile. */
const CLIENT = `
import type { components as application, webhooks } from './application';
import type { components as admin } from './admin';
type Payload<T extends keyof webhooks> = webhooks[T]['post']['requestBody']['content']['application/json'];
type User = application['schemas']['User'];
export const lost = (user: User): Payload<'streak.lost'> => ({ type: 'streak.lost', user, length: 3 });
export const consumed = (payload: Payload<'streak.freeze_consumed'>): number => payload.freezes;
export const first = (payload: Payload<'leaderboard.finished'>): string => payload.leaderboard.rankings[0].userId;
export const level = (payload: Payload<'points.level_changed'>): string | undefined => payload.newLevel?.key;
export const all: Record<Payload<keyof webhooks>['type'], true> = {} as Record<keyof webhooks, true>;
// @ts-expect-error the type of a payload is one word
export const won: Payload<'streak.lost'>['type'] = 'streak.won';
export const change: admin['schemas']['SettingsChanges'] = { branding: { logo: null }, aggregationPeriod: 'weekly' };
export const days = (settings: admin['schemas']['TenantSettings']): number => settings.experimentation.userActivationWindow;
export const units: admin['schemas']['ChangedMetric'] = { id: '', units: 'laps' };
export const file: admin['schemas']['RulesetFile'] = { metrics: { laps: { units: 'laps' } } };
// @ts-expect-error a period is one of two words
export const daily: admin['schemas']['SettingsChanges'] = { aggregationPeriod: 'daily' };
`;

for (const name of names) {
  const file = join(folder, `${name}.yaml`);

  test(`${name}: valid, without references to other files`, async () => {
    assert.equal((await SwaggerParser.resolve(file)).paths().length, 1);
    await SwaggerParser.validate(file);
  });

  test(`${name}: without errors for a linter`, async () => {
    const found = await lint({ ref: file, config: await createConfig({ extends: ['recommended'] }) });
    assert.deepEqual(found.filter((problem) => problem.severity === 'error')
      .map((problem) => `${problem.ruleId}: ${problem.message} ${problem.location[0].pointer}`), []);
  });
}

test('generated types compile with the code of a client', async () => {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  for (const name of names) {
    writeFileSync(join(folder, `${name}.d.ts`), astToString(await openapiTS(pathToFileURL(join(folder, `${name}.yaml`)))));
  }
  const client = join(folder, 'client.ts');
  writeFileSync(client, CLIENT);
  const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts'], types: [] };
  assert.deepEqual(ts.getPreEmitDiagnostics(ts.createProgram([client], options))
    .map((problem) => ts.flattenDiagnosticMessageText(problem.messageText, '\n')), []);
});
