import { once } from 'node:events'
import { failureWords } from '@galley/wire'

import { command } from './command.ts'
import { bundleFailure, themeFrom, themeOption } from './export.ts'
import { wholeNumber } from './option.ts'
import { knownSite, ofSite } from './site.ts'

export const preview = command({
  name: 'preview',
  summary: 'show a site on this computer as it would be published',
  detail: 'It is shown until the command is interrupted.',
  positionals: ofSite,
  options: {
    port: { ...wholeNumber(0, 65_535, 'the port', 8080), default: 'a free one' },
    theme: themeOption,
  },
  examples: ['acme --port 8080'],
  async run(context, { port, theme }) {
    const site = await knownSite(context)
    const { previews } = await context.galley()
    const started = await previews.start({
      site,
      ...(await themeFrom(context, theme)),
      port: port ?? 0,
      onProblem: (failure) => failure && context.log(failureWords(failure)),
    })
    if (!started.ok) throw bundleFailure({ theme }, started.failure)
    const { url } = started.value
    context.emit({ event: 'ready', url }, `Preview at ${url}`)
    if (!context.interrupted.aborted) await once(context.interrupted, 'abort')
    await previews.stop(site.id)
    return null
  },
})
