import type { Check } from '@galley/library'
import { checkSite } from '@galley/library'

import { command } from './command.ts'
import { wholeNumber } from './option.ts'
import { knownSite, ofSite } from './site.ts'

const isUnknown = ({ code }: Check): boolean => code === 'clock_unknown' || code === 'secret_untried'

/** As wide as the longest mark. */
const markOf = (check: Check): string => (isUnknown(check) ? '?   ' : check.ok ? 'ok  ' : 'FAIL')

export const siteCheck = command({
  name: 'site check',
  summary: 'check keychain, service, callback URL, target, clock and disk',
  positionals: { ID: ofSite.SITE },
  options: {
    port: {
      ...wholeNumber(1, 65_535, 'the port of the listener', 8787),
      default: 'that of the running listener, or 8787',
    },
  },
  examples: ['acme'],
  async run(context, { port }) {
    const galley = await context.galley()
    const site = await knownSite(context)
    const checks = await checkSite(galley, site, port)
    const ok = checks.every((check) => check.ok)
    const lines = checks.map(
      (check) => `${markOf(check)}  ${check.name}: ${check.detail}${check.fix ? `\n      ${check.fix}` : ''}`,
    )
    const findings = checks.map((check) => {
      const { name, ok: isFine, detail, fix } = check
      return { name, ok: isFine, detail, fix, ...(isUnknown(check) && { unknown: true }) }
    })
    return { json: { ok, checks: findings }, text: lines.join('\n'), exitCode: ok ? 0 : 1 }
  },
})
