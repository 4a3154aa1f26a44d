import { useTranslation } from 'react-i18next'

import { Button } from '../ui/button.tsx'
import { Source } from '../ui/source.tsx'
import { Titled } from '../ui/titled.tsx'
import words from '../ui/words.module.css'
import { useCopy } from './copy-text.ts'
import styles from './reach-help.module.css'

const ways = ['proxy', 'tunnel', 'server'] as const

/** Quotes a value for a POSIX shell unless it needs none. */
const shellWord = (text: string): string =>
  /^[\w./:@-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The values of a site that the commands contain; what is not known yet is empty. */
interface ReachFacts {
  readonly id: string
  readonly baseUrl: string
  readonly apiKey: string
  readonly port: string
}

/** A public name of the person's own; they replace it. */
const host = 'hooks.example.com'

/**
 * What makes a listener reachable for a service on the internet: a proxy on the computer itself, a tunnel to one's own server
 * with a proxy there, or a listener on the server. No secret is in it: the last one asks for it on standard input.
 */
export function reachRecipes({ id, baseUrl, apiKey, port }: ReachFacts) {
  const site = id.trim() || 'SITE'
  const callbackUrl = `https://${host}/callback/${site}`
  const proxy = (to: string): string => `caddy reverse-proxy --from ${host} --to 127.0.0.1:${to}`
  return {
    callbackUrl,
    proxy: proxy(port),
    tunnel: `ssh -N -R 127.0.0.1:8787:127.0.0.1:${port} user@${host}\n${proxy('8787')}   # on the server`,
    server: [
      `galley site add ${shellWord(site)} --base-url ${shellWord(baseUrl.trim() || 'URL')} \\`,
      `  --api-key ${shellWord(apiKey.trim() || 'KEY')} --callback-url ${shellWord(callbackUrl)} --secret-stdin < secret.txt`,
      'galley listen',
    ].join('\n'),
  }
}

/** Ways for a service on the internet to reach the listener, with commands to copy. */
export function ReachHelp(facts: ReachFacts) {
  const { t } = useTranslation(['sites', 'ui'])
  const copy = useCopy()
  const recipes = reachRecipes(facts)
  return (
    <details className={styles.reach}>
      <summary>{t('reach.title')}</summary>
      <p className={words.explanation}>{t('reach.text', { url: recipes.callbackUrl })}</p>
      {ways.map((way) => (
        <Titled key={way} title={t(`reach.${way}.title`)}>
          <p className={words.explanation}>{t(`reach.${way}.text`)}</p>
          <div className={styles.commands}>
            <Source label={t(`reach.${way}.title`)} text={recipes[way]} />
            <Button aria-label={t('reach.copy', { what: t(`reach.${way}.title`) })} onClick={() => copy(recipes[way])}>
              {t('ui:copy')}
            </Button>
          </div>
        </Titled>
      ))}
    </details>
  )
}
