import { once } from 'node:events'

import { describeExportFailure } from '../../../contract/domain/bundle/failure.ts'
import { startPreview } from '../../use-cases/releasing/preview.ts'
import type { Command } from './command.ts'
import { CommandFailure, wholeNumber } from './command.ts'
import { themeFinder } from './export.ts'
import { knownSite } from './site.ts'

export const preview: Command = {
  name: 'preview',
  usage: 'SITE [--port N] [--theme DIR]',
  summary: 'show a site on this computer as it would be published, until interrupted',
  positionals: ['SITE'],
  options: { port: { type: 'string' }, theme: { type: 'string' } },
  async run(context) {
    const site = await knownSite(context)
    const { index, vault, changes } = await context.galley()
    const themes = themeFinder(context)(index.publishing.of(site.id).theme)
    const onFailure = (failure: Parameters<typeof describeExportFailure>[0]): void =>
      context.log(describeExportFailure(failure))
    const started = await startPreview(
      { index, vault, changes, onFailure },
      site,
      themes,
      wholeNumber(context, 'port', 0, 65_535) ?? 0,
    )
    if (!started.ok) throw new CommandFailure(started.failure.kind, describeExportFailure(started.failure))
    const { url, close } = started.value
    context.emit({ event: 'ready', url }, `Preview at ${url}`)
    if (!context.interrupted.aborted) await once(context.interrupted, 'abort')
    await close()
    return null
  },
}
