// Sends an identification and an event to Laurel with kafkajs. Usage: node send.js [BROKERS [TOPIC [USER]]]
const { Kafka, Partitioners } = require('kafkajs');

const [brokers = '127.0.0.1:9092', topic = 'laurel.direct', user = 'swimmer-12'] = process.argv.slice(2);

async function main() {
  // begin
  const kafka = new Kafka({ brokers: brokers.split(',') });
  const producer = kafka.producer({ idempotent: true, createPartitioner: Partitioners.DefaultPartitioner });

  async function send(command, time) {
    const key = command.user.id.replaceAll('%', '%25').replaceAll('/', '%2F');
    const [place] = await producer.send({
      topic,
      acks: -1,
      messages: [{ key, timestamp: String(Date.parse(time)), value: JSON.stringify(command) }],
    });
    console.log(`${command.type} is stored at ${place.topicName}-${place.partition}@${place.baseOffset}`);
  }

  await producer.connect();
  await send({ type: 'identify', user: { id: user, name: 'Ida', tz: 'Europe/Helsinki' } }, '2026-03-04T09:13:20Z');
  await send({ type: 'event', metric: 'laps-swum', value: 12, user: { id: user }, idempotencyKey: 'swim-8843' },
    '2026-03-04T09:15:00Z');
  await producer.disconnect();
  // end
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
