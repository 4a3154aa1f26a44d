import { EyeOff, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { FoundPart } from '../../../ipc/desk.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { KeyedButton } from '../../commands/keyed-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Group } from '../../ui/group.tsx'
import styles from './desk.module.css'
import { useIgnored } from './ignored.ts'

/** The parts of the page whose looks are not compared, and how to add one. */
export function IgnoredParts() {
  const { t } = useTranslation('desk')
  const { parts, refused, ignore } = useIgnored()
  return (
    <>
      {parts.length > 0 && (
        <Group title={t('ignored.title')} text={t('ignored.text')}>
          <ul className={styles.changes}>
            {parts.map((part) => (
              <Part key={JSON.stringify(part)} part={part} />
            ))}
          </ul>
        </Group>
      )}
      <KeyedButton look="quiet" isFlush icon={EyeOff} command="review.ignore" onClick={() => void ignore(null)}>
        {t('ignored.begin')}
      </KeyedButton>
      {refused !== null && (
        <p role="status" className={styles.meta}>
          {t(`ignored.${refused}`)}
        </p>
      )}
    </>
  )
}

function Part({ part }: { readonly part: FoundPart }) {
  const { t } = useTranslation('desk')
  const bridge = useBridge()
  const { compareAgain } = useIgnored()
  const label = part.label || t('ignored.unnamed')
  const [place] = part.places
  return (
    <li className={styles.part}>
      <button
        type="button"
        className={styles.change}
        data-desk
        disabled={place === undefined}
        onClick={() => {
          if (place !== undefined)
            void bridge.call('goToDeskPlace', { block: { path: [...place.path], run: place.run } })
        }}
      >
        <span className={styles.what}>
          <span className={styles.texts}>{label}</span>
          {place === undefined && <span>{t('ignored.lost')}</span>}
        </span>
      </button>
      <Button look="quiet" isIconOnly icon={X} onClick={() => void compareAgain(part)}>
        {t('ignored.remove', { label })}
      </Button>
    </li>
  )
}
