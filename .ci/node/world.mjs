// A workspace of the sandbox for one test file, and the hands of its people:
// the Go test that runs these files serves both (bot/sandbox/node_test.go).
import assert from 'node:assert/strict';
import { WebClient } from '@slack/web-api';

const control = process.env.SANDBOX_CONTROL;
assert.ok(control, 'SANDBOX_CONTROL is not set: go test ./bot/sandbox -run TestNodeClients runs this');

// A 429 is waited out as Slack says; everything else is tried again at once.
const retryConfig = { retries: 3, minTimeout: 0, maxTimeout: 1 };

async function post(path, body) {
  const response = await fetch(control + path, { method: 'POST', body: JSON.stringify(body) });
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  return response.json();
}

// newWorld gives {api, botToken, appToken, signingSecret, ann, bob, ops, …} and
// act(what, arguments), which does something as a person and gives the reply.
export async function newWorld(config = {}) {
  const world = await post('/worlds', config);
  return {
    ...world,
    clientOptions: { slackApiUrl: world.api, retryConfig },
    client: new WebClient(world.botToken, { slackApiUrl: world.api, retryConfig }),
    act: async (what, body = {}) => {
      const reply = await post(`/worlds/${world.id}/${what}`, body);
      assert.equal(reply.error, '', `${what}: ${reply.error}`);
      return reply;
    },
  };
}

export const plain = (text) => ({ type: 'plain_text', text });

// rejects checks that a call fails with one of Slack's error codes.
export async function rejects(call, code) {
  await assert.rejects(call, (error) => {
    assert.equal(error.data?.error, code);
    return true;
  });
}
