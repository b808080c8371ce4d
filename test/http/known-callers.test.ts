import { expect, it } from 'vitest';
import { sessionToken } from '../../src/api/access/session-cookie.ts';
import { KnownCallers } from '../../src/api/admission/known-callers.ts';

const publicUrl = 'https://dues.example';
const COOKIE = '__Host-dues_session=secret';
const REQUEST = { method: 'POST', origin: publicUrl, environment: 'test', authorization: undefined };

it.each([
  ['another Sec-Fetch-Site beside an origin', { cookie: COOKIE, fetchSite: 'anything' }],
  ['a cookie of another name', { cookie: `dues_session=anything; ${COOKIE}`, fetchSite: 'same-origin' }],
  ['another cookie', { cookie: `${COOKIE}; theme=anything`, fetchSite: 'same-origin' }],
])('a member counts as one caller with %s', (_what, headers) => {
  const callers = new KnownCallers((cookie) => sessionToken({ publicUrl }, cookie));
  callers.note({ ...REQUEST, cookie: COOKIE, fetchSite: 'same-origin' }, 'member/1');
  expect(callers.find({ ...REQUEST, ...headers })).toBe('member/1');
  callers.forget({ ...REQUEST, ...headers });
  expect(callers.find({ ...REQUEST, cookie: COOKIE, fetchSite: 'same-origin' })).toBeUndefined();
});
