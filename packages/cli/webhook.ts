import type { WebhookDelivery, WebhookSetting } from '@galley/library/records'
import { webhookEvents } from '@galley/library/records'
import { causeSentence } from '@galley/wire'
import type { SiteId } from '@galley/wire'

import { command, failed, positional, secretFrom } from './command.ts'
import { UsageError, choice, flag, several, text } from './option.ts'
import { knownSite, ofSite } from './site.ts'

export const siteWebhook = command({
  name: 'site webhook',
  summary: 'show or set the URL that a site tells what happens',
  detail: 'A new URL gets a new secret, which is printed once, unless one comes on standard input.',
  positionals: { ...ofSite, '[URL]': 'where messages are sent; none turns them off' },
  options: {
    event: { ...several(choice(webhookEvents, 'tell this')), default: 'all' },
    secretStdin: flag('read the secret from standard input'),
    address: text('IP', 'a private address to which the host name of the URL may lead', '10.0.0.7'),
  },
  examples: ['acme', 'acme https://cms.example/hook --event version.stored'],
  async run(context, { event, secretStdin, ...given }) {
    const events = event.length === 0 ? undefined : event
    const [, to] = context.positionals
    const address = given.address ?? undefined
    const secret = secretStdin ? secretFrom(await context.readStdin()) : null
    const { id } = await knownSite(context)
    const { webhooks } = await context.galley()
    const isShown = to === undefined && events === undefined && secret === null && address === undefined
    if (isShown) return shown(id, await webhooks.of(id), null)
    const url = to === 'none' ? null : to
    const set = await webhooks.set(id, { url, events, secret, address })
    if (!set.ok) throw set.failure.code === 'secrets_unavailable' ? failed(set.failure) : usage(set.failure)
    return shown(id, set.value.setting, set.value.newSecret)
  },
})

const usage = (failure: Parameters<typeof failed>[0]): UsageError => new UsageError(failed(failure).message)

const stateWords: Readonly<Record<WebhookSetting['state'], string>> = {
  off: 'off',
  on: 'on',
  unconfirmed:
    'not confirmed on this computer, which sends nothing: run galley site webhook with the URL to confirm it',
  gone: 'off on this computer, because the receiver wants no more messages: run galley site webhook with the URL to turn it on',
}

function shown(site: SiteId, setting: WebhookSetting, newSecret: string | null) {
  const { url, events, namesInWebhook, state, hasSecret, addresses, problem } = setting
  return {
    json: {
      site,
      url,
      events,
      names_in_webhook: namesInWebhook,
      state,
      secret: hasSecret ? 'stored' : 'missing',
      addresses,
      problem: problem && causeSentence(problem),
      ...(newSecret !== null && { new_secret: newSecret }),
    },
    text: [
      `URL         ${url ?? 'none'}`,
      `state       ${stateWords[state]}`,
      `events      ${events.join(', ')}`,
      `names       ${namesInWebhook ? 'told' : 'not told'}`,
      ...(addresses.length > 0 ? [`addresses   ${addresses.join(', ')}`] : []),
      ...(problem === null ? [] : [`last time   it failed: ${causeSentence(problem)}`]),
      ...(newSecret === null
        ? []
        : [`secret      ${newSecret}`, 'Enter the secret at the receiver now. Galley does not show it again.']),
    ].join('\n'),
  }
}

const deliveryJson = ({
  id,
  site,
  type,
  materialId,
  at,
  state,
  attempts,
  lastAt,
  status,
  cause,
  nextAt,
}: WebhookDelivery) => ({
  id,
  site,
  type,
  material_id: materialId,
  at,
  state,
  attempts,
  last_at: lastAt,
  status,
  problem: cause && causeSentence(cause),
  next_at: nextAt,
})

const deliveriesShown = 1000

export const webhookDeliveries = command({
  name: 'webhook deliveries',
  summary: 'list the messages to the webhook of a site, newest first',
  positionals: ofSite,
  examples: ['acme'],
  async run(context) {
    const { id } = await knownSite(context)
    const { index } = await context.galley()
    return context.list({
      rows: () => index.webhooks.of(id, deliveriesShown),
      json: deliveryJson,
      headings: ['AT', 'ID', 'TYPE', 'MATERIAL', 'STATE', 'PROBLEM'],
      cells: ({ at, id: name, type, materialId, state, cause }) => [
        at,
        name,
        type,
        materialId ?? '-',
        state,
        cause === null ? '' : causeSentence(cause),
      ],
      none: 'No messages yet.',
    })
  },
})

export const webhookResend = command({
  name: 'webhook resend',
  summary: 'send a message to a webhook again, with the same ID',
  positionals: { ID: 'the ID of a message, as galley webhook deliveries lists it' },
  examples: ['01998a52-61c3-7c1e-b0cf-2a7d6b3f1c55'],
  async run(context) {
    const sent = await (await context.galley()).webhooks.resend(positional(context, 0))
    if (sent === null) throw failed({ code: 'unknown_delivery' })
    const why = sent.cause === null ? '' : `: ${causeSentence(sent.cause)}`
    return {
      json: deliveryJson(sent),
      text: sent.state === 'delivered' ? `${sent.id} was delivered.` : `${sent.id} was not delivered${why}`,
      exitCode: sent.state === 'delivered' ? 0 : 1,
    }
  },
})
