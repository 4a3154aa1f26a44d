import { expect, it } from 'vitest'

import { cause } from '../../../src/contract/cause.ts'
import type { CallProblem } from '../../../src/contract/ipc/problem.ts'
import { fail } from '../../../src/contract/result.ts'
import { careAnswer } from '../../../src/main/use-cases/care/care-answer.ts'
import type { CareFailure } from '../../../src/main/use-cases/care/run.ts'
import { problemIn } from '../../../src/renderer/i18n/problem-text.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'

/** The message in the window for failed library care. */
function told(failure: CareFailure, language: 'en' | 'ru' = 'en'): string {
  const answer = careAnswer(fail(failure))
  return answer.ok ? '' : problemIn(answer.failure, createTexts(language))
}

it('a disk failure is reported with its cause, in the language of the window', () => {
  const failure = { kind: 'file_failed', reason: cause('no_room') } as const
  expect(told(failure)).toContain('This couldn’t finish: there is not enough space on the disk.')
  expect(told(failure, 'ru')).toContain('Не удалось завершить: на диске не хватает места.')
})

it('the text for a file that blocks a backup does not mention an export', () => {
  expect(told({ kind: 'not_ours', state: 'backup' })).toMatch(/isn’t a Galley backup/)
  expect(told({ kind: 'not_ours', state: 'in_library' })).toMatch(/^This folder is in a Galley library/)
})

it('files still in use after a deletion do not hide that the versions were deleted', () => {
  expect(told({ kind: 'busy', pruned: 3 })).toMatch(/^The old versions were deleted/)
  expect(told({ kind: 'busy' })).toMatch(/some unused files couldn’t be deleted yet/)
})

it.each([
  ['secrets_unavailable', 'secret_locked', /^The site was saved without its secret, because the keychain is locked/],
  ['secrets_unavailable', 'credentials_unavailable', /^The site was saved, but .* callback credentials/],
  ['secrets_unavailable', 'removal_locked', /^The site was not removed/],
  ['busy', 'exporting', /^Another export is writing to this destination/],
  ['cannot_listen', 'failed', /can’t start at this address/],
  ['cannot_listen', 'elsewhere', /^Another process receives the saves/],
  ['service_unreachable', 'cut', /may have created the session/],
  ['unexpected', 'midway', /Completed steps were kept/],
  ['cancelled', 'midway', /Completed steps were kept/],
] as const)('%s is worded for its case %s', (code, state, words) => {
  const problem: CallProblem = { code, facts: { state } }
  expect(problemIn(problem, createTexts('en'))).toMatch(words)
})
