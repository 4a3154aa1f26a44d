import type { Case, Theme } from '../case.ts'
import { contract, listener, verdict } from '../case.ts'
import { whyNotRefused, words } from '../judge/answers.ts'
import { accepted, refusedUnread } from '../judge/verdicts.ts'

const protectedUrl = contract(
  'Authentication 5',
  'When the callback URL is protected, the service adds an Authorization header',
)

const wrong = (id: string, name: string, authorization: string | null): Case => ({
  id,
  name,
  rule: protectedUrl,
  severity: 'unsafe',
  needs: 'auth',
  run: async (bench) => refusedUnread(await bench.save({}, { authorization })),
})

export const authorization: Theme = {
  title: 'Authorization',
  restsOn: 'save-accepted',
  cases: [
    {
      id: 'authorization-accepted',
      name: 'The credentials of the session open the callback URL',
      rule: protectedUrl,
      severity: 'breaks the contract',
      needs: 'auth',
      run: async (bench) => accepted(await bench.save()),
    },
    wrong('authorization-missing', 'A callback without credentials is refused', null),
    wrong(
      'authorization-wrong-basic',
      'Wrong user and password are refused',
      `Basic ${Buffer.from('conformance:wrong').toString('base64')}`,
    ),
    wrong('authorization-wrong-bearer', 'A wrong bearer token is refused', 'Bearer conformance-wrong'),
    wrong('authorization-empty', 'Empty credentials are refused', 'Basic Og=='),
    wrong('authorization-garbled', 'Credentials of no known form are refused', 'conformance'),
    {
      id: 'authorization-status',
      name: 'Missing credentials are answered with status 401',
      rule: listener('Authorization configured for this site, absent or wrong: 401'),
      severity: 'unwise',
      needs: 'auth',
      run: async (bench) => {
        const { answer } = await bench.save({}, { authorization: null })
        return verdict('HTTP 401', answer.kind === 'answer' && answer.status === 401 ? null : words(answer))
      },
    },
    {
      id: 'authorization-no-substitute',
      name: 'The right credentials do not replace the signature',
      rule: contract('Site callback endpoint', 'The site must verify X-Service-Signature'),
      severity: 'breaks the contract',
      needs: 'auth',
      run: async (bench) => {
        const { answer } = await bench.save({}, { signature: null })
        return verdict('refused', whyNotRefused(answer), words(answer))
      },
    },
  ],
}
