import { useTranslation } from 'react-i18next'

import type { ShownPage } from '../../../ipc/review-window.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import styles from './page-notices.module.css'
import { useDesk } from './store.ts'

/** Says what of the page is not shown. */
export function PageNotices() {
  const { t } = useTranslation('review')
  const bridge = useBridge()
  const { shown, lost } = useDesk()
  if (shown.kind !== 'loaded') return null
  return (
    <>
      {!shown.hasImages && (
        <p className={styles.notice} role="status">
          {t('withoutImages')}
        </p>
      )}
      <NotShown {...shown.page} />
      {lost.length > 0 && (
        <div className={styles.notice} role="status" title={lost.join('\n')}>
          <p>{t('lost', { count: lost.length })}</p>
          <Button look="quiet" onClick={() => void bridge.call('showHealth', undefined)}>
            {t('openHealth')}
          </Button>
        </div>
      )}
    </>
  )
}

/** The number of files that are named in the line itself. */
const namedInLine = 2

/** Names what is on the page and not shown, and says when scripts are off: one line, with all names behind it. */
function NotShown({ unshown, hasScripts }: ShownPage) {
  const { t } = useTranslation('review')
  const formats = useFormats()
  const count = unshown.reduce((sum, group) => sum + group.count, 0)
  if (count === 0)
    return hasScripts ? (
      <p className={`${styles.notice} ${styles.calm}`} role="status">
        {t('scriptsOff')}
      </p>
    ) : null
  const named = unshown
    .flatMap(({ names }) => names)
    .slice(0, namedInLine)
    .map(shortName)
  const more = count - named.length
  const files = formats.list(more === 0 ? named : [...named, t('unshownMore', { count: more })])
  const isBroken = unshown.some(({ why }) => why === 'missing')
  return (
    <div className={isBroken ? styles.unshown : `${styles.unshown} ${styles.calm}`} role="status">
      <details>
        <summary>
          {t('unshown', { count, files })}
          {hasScripts && ` ${t('scriptsOff')}`}
        </summary>
        <dl>
          {unshown.map(({ why, count: ofThese, names }) => (
            <div key={why}>
              <dt>{t(`unshownWhy.${why}`)}</dt>
              {names.map((name) => (
                <dd key={name}>{name}</dd>
              ))}
              {ofThese > names.length && <dd>{t('unshownMore', { count: ofThese - names.length })}</dd>}
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}

/** The file name of an address, or its host if it has none. */
function shortName(name: string): string {
  const [path = ''] = name.split(/[?#]/, 1)
  const parts = path.split('/').filter((part) => part !== '')
  return parts.at(-1) ?? name
}
