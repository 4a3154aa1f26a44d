import { once } from 'node:events'
import { failureWords } from '@galley/wire'

import type { Command } from './command.ts'
import { wholeNumber } from './command.ts'
import { bundleFailure, themeFrom } from './export.ts'
import { knownSite } from './site.ts'

export const preview: Command = {
  name: 'preview',
  usage: 'SITE [--port N] [--theme NAME|DIR]',
  summary: 'show a site on this computer as it would be published, until interrupted',
  positionals: ['SITE'],
  options: { port: { type: 'string' }, theme: { type: 'string' } },
  async run(context) {
    const site = await knownSite(context)
    const { previews } = await context.galley()
    const started = await previews.start({
      site,
      ...(await themeFrom(context)),
      port: wholeNumber(context, 'port', 0, 65_535) ?? 0,
      onProblem: (failure) => failure && context.log(failureWords(failure)),
    })
    if (!started.ok) throw bundleFailure(context, started.failure)
    const { url } = started.value
    context.emit({ event: 'ready', url }, `Preview at ${url}`)
    if (!context.interrupted.aborted) await once(context.interrupted, 'abort')
    await previews.stop(site.id)
    return null
  },
}
