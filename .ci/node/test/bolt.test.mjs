// A Bolt app over both of its receivers, used by a person of the sandbox: a
// command, a modal and its submission, a button, a select, a shortcut, messages.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import bolt from '@slack/bolt';
import { newWorld, plain } from '../world.mjs';

const { App, LogLevel } = bolt;

const modal = {
  type: 'modal',
  callback_id: 'declare',
  title: plain('Declare'),
  submit: plain('Declare'),
  blocks: [
    { type: 'input', block_id: 'title', label: plain('Title'), element: { type: 'plain_text_input', action_id: 'title' } },
    {
      type: 'input', block_id: 'severity', label: plain('Severity'), optional: true,
      element: { type: 'static_select', action_id: 'severity', options: ['sev1', 'sev2'].map((s) => ({ text: plain(s), value: s })) },
    },
  ],
};

const card = (title) => [
  { type: 'section', text: { type: 'mrkdwn', text: `*${title}*` } },
  {
    type: 'actions', block_id: 'acts', elements: [
      { type: 'button', action_id: 'take_lead', text: plain('Take lead'), value: 'INC-1' },
      { type: 'static_select', action_id: 'severity', options: ['sev1', 'sev2'].map((s) => ({ text: plain(s), value: s })) },
    ],
  },
];

// listen puts the app's handlers in place; seen gathers what they were told.
function listen(app, seen) {
  app.command('/incident', async ({ command, ack, client }) => {
    seen.command = command;
    if (command.text === '') {
      await client.views.open({ trigger_id: command.trigger_id, view: modal });
      await ack();
    } else {
      await ack({ response_type: 'ephemeral', text: `declared ${command.text}` });
    }
  });
  app.view('declare', async ({ ack, view, body, client }) => {
    const { title, severity } = view.state.values;
    if (title.title.value.length < 3) {
      await ack({ response_action: 'errors', errors: { title: 'too short' } });
      return;
    }
    await ack();
    const { channel } = await client.conversations.create({ name: 'inc-1' });
    await client.conversations.invite({ channel: channel.id, users: body.user.id });
    await client.chat.postMessage({ channel: channel.id, text: title.title.value, blocks: card(`${title.title.value} ${severity.severity.selected_option?.value}`) });
  });
  app.action('take_lead', async ({ ack, body, action, respond, say }) => {
    await ack();
    seen.click = { body, action };
    await respond({ replace_original: false, text: 'you lead now' });
    await say({ text: `<@${body.user.id}> leads` });
  });
  app.action('severity', async ({ ack, body, action }) => {
    await ack();
    seen.select = { body, action };
  });
  app.shortcut('add_to_timeline', async ({ ack, shortcut }) => {
    await ack();
    seen.shortcut = shortcut;
  });
  app.message('broker', async ({ message, say }) => {
    await say({ text: 'shall I declare?', thread_ts: message.ts });
  });
  app.event('reaction_added', async ({ event }) => {
    seen.reaction = event;
  });
  app.error(async (error) => {
    seen.error = error;
  });
}

for (const mode of ['HTTP', 'Socket Mode']) {
  describe(`Bolt over ${mode}`, { timeout: 60_000 }, () => {
    const seen = {};
    let w, app;

    before(async () => {
      w = await newWorld();
      const common = { token: w.botToken, clientOptions: w.clientOptions, logLevel: LogLevel.ERROR };
      if (mode === 'HTTP') {
        app = new App({ ...common, signingSecret: w.signingSecret });
        listen(app, seen);
        const server = await app.start(0);
        const url = `http://127.0.0.1:${server.address().port}/slack/events`;
        await w.act('urls', { url });
        await w.act('verify');
      } else {
        app = new App({ ...common, appToken: w.appToken, socketMode: true });
        listen(app, seen);
        await app.start();
        await w.act('sockets', { count: 1 });
      }
    });
    after(async () => {
      await app?.stop();
      assert.equal(seen.error, undefined);
    });

    test('a command is answered at once', async () => {
      const reply = await w.act('command', { user: w.ann, channel: w.ops, command: '/incident', text: 'offers & prices' });
      assert.equal(reply.text, 'declared offers &amp; prices');
      assert.equal(seen.command.user_id, w.ann);
      assert.equal(seen.command.channel_name, 'ops');
    });

    test('a modal is opened, refused and submitted', async () => {
      await w.act('command', { user: w.ann, channel: w.ops, command: '/incident' });
      const refused = await w.act('submit', { user: w.ann, values: { title: 'ab' } });
      assert.equal(refused.action, 'errors');
      await w.act('submit', { user: w.ann, values: { title: 'offers missing', severity: 'sev2' } });
      const found = await w.act('message', { channel: 'inc-1', text: 'offers missing sev2' });
      assert.ok(found.ts);
    });

    test('a button and a select', async () => {
      const { ts } = await w.act('message', { channel: 'inc-1', text: 'offers missing' });
      await w.act('click', { user: w.ann, channel: 'inc-1', messageTS: ts, actionID: 'severity', value: 'sev1' });
      await w.act('click', { user: w.ann, channel: 'inc-1', messageTS: ts, actionID: 'take_lead' });
      await w.act('message', { channel: 'inc-1', text: 'leads' });
      await w.act('ephemeral', { channel: 'inc-1', user: w.ann, text: 'you lead now' });
      assert.equal(seen.click.action.value, 'INC-1');
      assert.equal(seen.click.body.message.ts, ts);
      assert.equal(seen.select.action.selected_option.value, 'sev1');
      assert.equal(seen.click.body.state.values.acts.severity.type, 'static_select');
    });

    test('a shortcut, a message and a reaction', async () => {
      await w.act('join', { channel: w.ops });
      const { ts } = await w.act('post', { user: w.bob, channel: w.ops, text: 'a broker misses his offers' });
      await w.act('message', { channel: w.ops, text: 'shall I declare?' });
      await w.act('shortcut', { user: w.ann, channel: w.ops, messageTS: ts, callbackID: 'add_to_timeline' });
      await w.act('react', { user: w.ann, channel: w.ops, ts, text: 'pushpin' });
      assert.equal(seen.shortcut.message.text, 'a broker misses his offers');
      assert.equal(seen.reaction.item.ts, ts);
    });
  });
}
