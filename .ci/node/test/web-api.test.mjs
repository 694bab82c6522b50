// Slack's Web API client against the sandbox: what it sends is understood, and
// what it gets it understands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebClient, WebClientEvent } from '@slack/web-api';
import { newWorld, plain, rejects } from '../world.mjs';

const section = (text) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const button = { type: 'actions', elements: [{ type: 'button', action_id: 'b', text: plain('Go') }] };
const modal = { type: 'modal', callback_id: 'm', title: plain('Hello'), blocks: [section('hi')] };

test('tokens', async () => {
  const { client, api, ...w } = await newWorld();
  const me = await client.auth.test();
  assert.equal(me.team_id, w.team);
  assert.ok(me.user_id && me.bot_id);
  await rejects(new WebClient('xoxb-wrong', { slackApiUrl: api }).auth.test(), 'invalid_auth');
});

test('channels', async () => {
  const { client, ann, bob } = await newWorld();
  const { channel } = await client.conversations.create({ name: 'inc-1-offers' });
  await rejects(client.conversations.create({ name: 'inc-1-offers' }), 'name_taken');
  await rejects(client.conversations.create({ name: 'Inc 1' }), 'invalid_name_specials');
  await client.conversations.invite({ channel: channel.id, users: [ann, bob].join(',') });
  await rejects(client.conversations.invite({ channel: channel.id, users: ann }), 'already_in_channel');
  await client.conversations.setTopic({ channel: channel.id, topic: 'offers are late' });
  const info = await client.conversations.info({ channel: channel.id, include_num_members: true });
  assert.equal(info.channel.topic.value, 'offers are late');
  assert.equal(info.channel.num_members, 3);
  const link = await client.bookmarks.add({ channel_id: channel.id, title: 'Call', type: 'link', link: 'https://meet.jit.si/x' });
  assert.ok(link.bookmark.id);
  await client.conversations.archive({ channel: channel.id });
  await rejects(client.chat.postMessage({ channel: channel.id, text: 'late' }), 'is_archived');
});

test('messages with blocks and metadata', async () => {
  const { client } = await newWorld();
  const { channel } = await client.conversations.create({ name: 'talk' });
  const metadata = { event_type: 'houston_effect', event_payload: { key: 'card:1' } };
  const card = await client.chat.postMessage({ channel: channel.id, text: 'card', blocks: [section('*INC-1*'), button], metadata });
  assert.equal(card.message.blocks.length, 2);
  await rejects(client.chat.postMessage({ channel: channel.id, text: 'x', blocks: [{ type: 'header', text: plain('a'.repeat(151)) }] }), 'invalid_blocks');

  await client.chat.update({ channel: channel.id, ts: card.ts, text: 'card', blocks: [section('*INC-1* fixed')] });
  await client.pins.add({ channel: channel.id, timestamp: card.ts });
  await rejects(client.pins.add({ channel: channel.id, timestamp: card.ts }), 'already_pinned');
  await client.reactions.add({ channel: channel.id, timestamp: card.ts, name: 'pushpin' });
  const reply = await client.chat.postMessage({ channel: channel.id, thread_ts: card.ts, text: 'in a thread' });

  const history = await client.conversations.history({ channel: channel.id, include_all_metadata: true });
  const found = history.messages.find((m) => m.metadata?.event_payload.key === 'card:1');
  assert.equal(found.ts, card.ts);
  assert.equal(found.blocks[0].text.text, '*INC-1* fixed');
  assert.equal(found.reactions[0].name, 'pushpin');
  const thread = await client.conversations.replies({ channel: channel.id, ts: card.ts });
  assert.deepEqual(thread.messages.map((m) => m.ts), [card.ts, reply.ts]);
  const { permalink } = await client.chat.getPermalink({ channel: channel.id, message_ts: card.ts });
  assert.match(permalink, /\/archives\/C/);
  await client.chat.delete({ channel: channel.id, ts: reply.ts });
});

test('pages of every size', async () => {
  const { client } = await newWorld({ pageSeed: 7 });
  for (let i = 0; i < 12; i++) await client.conversations.create({ name: `c-${i}` });
  const names = [];
  let pages = 0;
  for await (const page of client.paginate('conversations.list', { limit: 5 })) {
    pages++;
    names.push(...page.channels.map((c) => c.name));
  }
  assert.equal(new Set(names).size, names.length);
  assert.equal(names.filter((n) => n.startsWith('c-')).length, 12);
  assert.ok(pages >= 3, `${pages} pages`);
});

test('views', async () => {
  const { client, act, ann, ops } = await newWorld({ events: true });
  const { trigger } = await act('trigger', { user: ann, channel: ops });
  const { view } = await client.views.open({ trigger_id: trigger, view: modal });
  await rejects(client.views.open({ trigger_id: trigger, view: modal }), 'exchanged_trigger_id');
  await rejects(client.views.open({ trigger_id: '1.2.abc', view: modal }), 'invalid_trigger_id');
  const changed = await client.views.update({ view_id: view.id, hash: view.hash, view: { ...modal, title: plain('Again') } });
  await rejects(client.views.update({ view_id: view.id, hash: view.hash, view: modal }), 'hash_conflict');
  assert.equal(changed.view.title.text, 'Again');
  await client.views.publish({ user_id: ann, view: { type: 'home', blocks: [section('home')] } });
});

test('files', async () => {
  const { client, botToken } = await newWorld();
  const { channel } = await client.conversations.create({ name: 'files' });
  const sent = await client.files.uploadV2({ channel_id: channel.id, filename: 'postmortem.md', content: '# INC-1\n', initial_comment: 'the draft' });
  const { file } = await client.files.info({ file: sent.files[0].files[0].id });
  assert.ok(file.shares.public[channel.id][0].ts);
  const headers = { authorization: `Bearer ${botToken}` };
  assert.equal(await (await fetch(file.url_private_download, { headers })).text(), '# INC-1\n');
  const stranger = await fetch(file.url_private, { redirect: 'manual' });
  assert.equal(stranger.status, 302);
});

test('people', async () => {
  const { client, ann } = await newWorld();
  const { user } = await client.users.info({ user: ann, include_locale: true });
  assert.equal(user.profile.email, 'ann@example.com');
  assert.equal((await client.users.lookupByEmail({ email: 'ann@example.com' })).user.id, ann);
  await rejects(client.users.lookupByEmail({ email: 'nobody@example.com' }), 'users_not_found');
  const { usergroups } = await client.usergroups.list({ include_users: true });
  assert.deepEqual(usergroups[0].users, [ann]);
});

test('blocks.validate', async () => {
  const { api } = await newWorld();
  const client = new WebClient(undefined, { slackApiUrl: api });
  await client.apiCall('blocks.validate', { blocks: [section('fine')] });
  await rejects(client.apiCall('blocks.validate', { blocks: [section('a'.repeat(3001))] }), 'invalid_blocks');
});

test('rate limits are waited out', { timeout: 20_000 }, async () => {
  const { client, act } = await newWorld();
  const { channel } = await client.conversations.create({ name: 'busy' });
  await act('rates', { on: true });
  const waits = [];
  client.on(WebClientEvent.RATE_LIMITED, (seconds) => waits.push(seconds));
  for (let i = 0; i < 6; i++) await client.chat.postMessage({ channel: channel.id, text: `${i}` });
  assert.ok(waits.length > 0, 'never limited');
  assert.ok(waits.every((s) => Number.isInteger(s) && s >= 1), `${waits}`);
  const { messages } = await client.conversations.history({ channel: channel.id });
  assert.equal(messages.filter((m) => /^\d$/.test(m.text)).length, 6);
});
