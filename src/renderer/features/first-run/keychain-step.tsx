import { useTranslation } from 'react-i18next'

import { keychainTones } from '../../domain/keychain-tones.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Button } from '../../ui/button.tsx'
import { Status } from '../../ui/status.tsx'
import { Outcome } from './outcome.tsx'
import { useFirstRun } from './store.ts'

/** Writes, reads and deletes a throwaway secret, and shows the result. */
export function KeychainStep() {
  const { t } = useTranslation('start')
  const problemText = useProblemText()
  const { keychain, testKeychain } = useFirstRun()
  const isTesting = keychain.kind === 'testing'
  return (
    <>
      <Outcome>
        {keychain.kind === 'done' && (
          <Status tone={keychainTones[keychain.value]} word={t(`keychain.${keychain.value}`)} />
        )}
        {keychain.kind === 'failed' && <Status tone="danger" word={problemText(keychain.problem)} />}
      </Outcome>
      <Button aria-disabled={isTesting} onClick={() => void testKeychain()}>
        {isTesting ? t('keychain.testing') : t('keychain.test')}
      </Button>
    </>
  )
}
