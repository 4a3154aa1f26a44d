import { accepted, refusedWithoutDownload, unexplainedAcceptance } from '../judge/common-verdicts.ts'
import { verdict } from '../judge/verdict.ts'
import { describeAnswer } from '../protocol/answer.ts'
import type { Case, Theme } from '../suite/case.ts'
import { contract, listener } from '../suite/case.ts'

const protectedUrl = contract(
  'Authentication 5',
  'When the callback URL is protected, the service adds an Authorization header',
)

const wrong = (id: string, name: string, authorization: string | null, dependsOn = 'authorization-missing'): Case => ({
  id,
  name,
  rule: protectedUrl,
  severity: 'unsafe',
  needs: 'auth',
  dependsOn,
  run: async (bench) => refusedWithoutDownload(bench, await bench.save({}, { authorization })),
})

export const authorization: Theme = {
  title: 'Authorization',
  dependsOn: 'save-accepted',
  cases: [
    {
      id: 'authorization-accepted',
      name: 'Credentials from the session are accepted at the callback URL',
      rule: protectedUrl,
      severity: 'breaks the contract',
      needs: 'auth',
      run: async (bench) => accepted(await bench.save()),
    },
    wrong('authorization-missing', 'A callback without credentials is refused', null, 'save-accepted'),
    wrong(
      'authorization-wrong-basic',
      'Wrong user and password are refused',
      `Basic ${Buffer.from('conformance:wrong').toString('base64')}`,
    ),
    wrong(
      'authorization-wrong-bearer',
      'A wrong bearer token is refused',
      'Bearer conformance-wrong',
      'authorization-wrong-basic',
    ),
    wrong('authorization-empty', 'Empty credentials are refused', 'Basic Og==', 'authorization-wrong-basic'),
    wrong(
      'authorization-garbled',
      'Credentials of an unknown form are refused',
      'conformance',
      'authorization-wrong-basic',
    ),
    {
      id: 'authorization-status',
      name: 'Missing credentials are answered with status 401',
      rule: listener('Authorization configured for this site, absent or wrong: 401'),
      severity: 'unwise',
      needs: 'auth',
      dependsOn: 'authorization-missing',
      run: async (bench) => {
        const { answer } = await bench.save({}, { authorization: null })
        return verdict('HTTP 401', answer.kind === 'answer' && answer.status === 401 ? null : describeAnswer(answer))
      },
    },
    {
      id: 'authorization-no-substitute',
      dependsOn: 'signature-missing',
      name: 'The right credentials do not replace the signature',
      rule: contract('Site callback endpoint', 'The site must verify X-Service-Signature'),
      severity: 'breaks the contract',
      needs: 'auth',
      run: async (bench) => {
        const { answer } = await bench.save({}, { signature: null })
        return verdict('refused', unexplainedAcceptance(bench, answer), describeAnswer(answer))
      },
    },
  ],
}
