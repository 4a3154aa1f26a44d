import { expect, test } from 'vitest'

import type { Site } from '../../../packages/library/records/site.ts'
import { confirmedTexts } from '../../../packages/library/sites/confirmations.ts'
import { aboutChange, aboutEditor, aboutHost, aboutSite } from '../../../src/main/ipc/questions.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'
import { acme } from '../../library/db/sample.ts'

const words = (language: 'en' | 'ru') => createTexts(language).getFixedT(language, 'system')

const site: Site = {
  ...acme,
  environment: 'prod',
  name: 'Harbour Weekly',
  baseUrl: 'https://layout.example/integration',
  apiKey: 'harbour-key',
  callbackUrl: 'https://cms.example/callback/harbour',
  publicUrl: null,
  downloadOrigins: [],
  publish: { kind: 'folder', directory: '/srv/www' },
}

test('a site that is not confirmed is shown with everything that determines where it sends data', () => {
  expect(aboutSite(words('en'), null, site)).toEqual({
    message: 'Use these addresses for “Harbour Weekly”?',
    detail: [
      'Service URL:\nhttps://layout.example/integration',
      'API key:\nharbour-key',
      'Callback URL:\nhttps://cms.example/callback/harbour',
      'Public URL of media:\nnone',
      'Additional download origins:\nnone',
      'Media published to:\nfolder:/srv/www',
      'Environment:\nProduction: host names must resolve to public addresses',
      'Galley signs requests with this site’s secret, downloads its saves from the service and publishes its media. Confirm only if everything here is correct. Until you do, Galley can’t accept its saves or open its materials in the editor.',
    ].join('\n\n'),
    buttons: ['Confirm addresses', 'Cancel'],
  })
})

test('a change is shown with both values, and with its effect on the secret', () => {
  const baseUrl = 'https://other.example/integration'
  const moved: Site = { ...site, baseUrl, publish: { kind: 'listener' }, environment: 'dev' }
  expect(aboutChange(words('ru'), site, moved)).toEqual({
    message: 'Изменить, куда «Harbour Weekly» отправляет данные?',
    detail: [
      'URL сервиса:\nбыло https://layout.example/integration\nстанет https://other.example/integration',
      'Куда публикуются медиафайлы:\nбыло folder:/srv/www\nстанет listener',
      'Среда:\nбыло Рабочая среда: имена хостов должны вести на публичные адреса\nстанет Среда разработки: имена хостов могут вести в частные сети',
      'Меняйте, только если вы сами это сейчас запросили. Если нет, отмените: ничего не изменится.',
      'Сохранённый секрет с новым сервисом не используется. Введите потом секрет нового сервиса.',
    ].join('\n\n'),
    buttons: ['Изменить', 'Отмена'],
  })
  expect(aboutChange(words('en'), site, { ...site, apiKey: 'x' }).detail).not.toContain('stored secret')
})

test('a site that changed since it was confirmed is shown with both values of what changed', () => {
  const changed = { ...site, callbackUrl: 'https://other.example/c', publicUrl: 'https://media.example' }
  const { detail } = aboutSite(words('en'), confirmedTexts(site), changed)
  expect(detail.split('\n\n').slice(0, 4)).toEqual([
    'Service URL:\nhttps://layout.example/integration',
    'API key:\nharbour-key',
    'Callback URL:\nfrom https://cms.example/callback/harbour\nto https://other.example/c',
    'Public URL of media:\nfrom none\nto https://media.example',
  ])
})

test('long values are shown with what differs between them', () => {
  const long = (middle: string) => `${'a'.repeat(250)}${middle}${'b'.repeat(400)}`
  const { detail } = aboutChange(words('en'), { ...site, apiKey: long('x') }, { ...site, apiKey: long('y') })
  expect(detail).toMatch(/^API key:\nfrom a{90}…a{50}xb{149}…b{90}\nto a{90}…a{50}yb{149}…b{90}\n/)
})

test('a listening host and an editor elsewhere are named', () => {
  expect(aboutHost(words('en'), '127.0.0.1', '0.0.0.0')).toMatchObject({
    message: 'Let the listener accept connections at 0.0.0.0?',
    detail: expect.stringMatching(/^Address:\nfrom 127\.0\.0\.1\nto 0\.0\.0\.0\n\nEvery computer/) as string,
  })
  expect(aboutEditor(words('ru'), site, 'https://editor.example')).toMatchObject({
    message: 'Открыть редактор по адресу https://editor.example?',
    detail: expect.stringContaining('находится по адресу https://layout.example, а его редактор') as string,
    buttons: ['Открыть редактор', 'Отмена'],
  })
})
