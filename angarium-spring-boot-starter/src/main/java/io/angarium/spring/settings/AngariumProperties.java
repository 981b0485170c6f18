package io.angarium.spring.settings;

import io.angarium.inbox.WhenBusy;
import io.angarium.jdbc.settings.OtherServer;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.settings.DestinationPolicy.OnDead;
import io.angarium.transport.UnknownTransport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties under {@code angarium}; what is null has the default of the config record that it
 * is mapped to. Immutable.
 *
 * @param enabled Whether the outbox is set up at all.
 * @param createdBy Creator of messages that name none. By default the value of
 *     'spring.application.name'.
 * @param limits The largest message taken in.
 * @param partitions How messages are spread over partitions.
 * @param jdbc How the outbox uses its database.
 * @param relay How messages get from the database to the brokers.
 * @param retry When a failed message is tried again.
 * @param onDead What happens to the later messages of a key whose message became a dead letter.
 * @param unknownTransport What happens when a message is sent to a transport that this process does
 *     not have. By default 'warn' in a process with a relay, otherwise 'off'.
 * @param circuit How an unavailable destination is probed.
 * @param kafka The Kafka cluster to send to.
 * @param rabbitmq The RabbitMQ to send to.
 * @param rocketmq The RocketMQ cluster to send to.
 * @param http The web hooks to post to.
 * @param cloudEvents Which messages for Kafka and RabbitMQ are events of CloudEvents besides.
 * @param confirmation Which messages must be confirmed by their consumers, and how that is told.
 * @param inbox How consumers process each message once.
 * @param handler How much the handlers of this application may take.
 * @param half Half messages: messages in two phases, for business data in another database.
 * @param reconciliation What was produced is compared with what was consumed.
 * @param retention How long is kept what grows.
 * @param metrics What is measured, where Micrometer is present.
 * @param console The operator console in this application.
 * @param alerts What is noticed, and who is told.
 * @param nodeBoard What this process tells the console and alerts of its relay.
 */
@ConfigurationProperties(prefix = "angarium", ignoreUnknownFields = false)
public record AngariumProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String createdBy,
    @DefaultValue Limits limits,
    @DefaultValue Partitions partitions,
    @DefaultValue Jdbc jdbc,
    @DefaultValue Relay relay,
    @DefaultValue Retry retry,
    @Nullable OnDead onDead,
    @Nullable UnknownTransport unknownTransport,
    @DefaultValue Circuit circuit,
    @DefaultValue Kafka kafka,
    @DefaultValue Rabbitmq rabbitmq,
    @DefaultValue Rocketmq rocketmq,
    @DefaultValue Http http,
    @DefaultValue CloudEvents cloudEvents,
    @DefaultValue Confirmation confirmation,
    @DefaultValue Inbox inbox,
    @DefaultValue Handler handler,
    @DefaultValue Half half,
    @DefaultValue Reconciliation reconciliation,
    @DefaultValue Retention retention,
    @DefaultValue Metrics metrics,
    @NestedConfigurationProperty @DefaultValue ConsoleProperties console,
    @NestedConfigurationProperty @DefaultValue AlertProperties alerts,
    @DefaultValue NodeBoard nodeBoard) {

  /**
   * What this process tells of its relay. Immutable.
   *
   * @param enabled Whether it is told. By default where the console or alerts are on.
   */
  public record NodeBoard(@Nullable Boolean enabled) {}

  /**
   * How long is kept what grows. Immutable.
   *
   * @param enabled Whether this process deletes what is old.
   * @param sent How long the history of sent messages is kept. By default for ever.
   * @param businessKeys How long business keys are kept that may be sent once. By default for ever.
   * @param markers How long markers of local transactions are kept. By default for ever.
   * @param halfMessages How long outcomes of half messages are kept.
   * @param discarded How long messages are kept that a person discarded.
   * @param interval Pause between two deletions.
   */
  public record Retention(
      @DefaultValue("true") boolean enabled,
      @Nullable Duration sent,
      @Nullable Duration businessKeys,
      @Nullable Duration markers,
      @Nullable Duration halfMessages,
      @Nullable Duration discarded,
      @Nullable Duration interval) {}

  /**
   * What was produced is compared with what was consumed. Immutable.
   *
   * @param enabled Whether this process compares, where there are tasks.
   * @param reports Whether reports are kept in the database, for the console and for alerts.
   * @param tasks Tasks by their names. A task has the name of a bean of type 'Reconciliation', or
   *     it has a destination and a consumer. By default none.
   */
  public record Reconciliation(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("false") boolean reports,
      @DefaultValue Map<String, ReconciliationTask> tasks) {}

  /**
   * A comparison that is made again and again. Immutable.
   *
   * @param enabled Whether this process makes it.
   * @param destination Destination whose messages are compared. By default a bean says what is.
   * @param consumer Consumer that must have processed them, as in the keys of the inbox. By default
   *     likewise.
   * @param repair Whether messages that are missing are sent again.
   * @param window How much is compared at once.
   * @param delay How long after its end a window is compared.
   * @param ageMax Windows that began longer ago are left out.
   * @param lease How long a comparison may take before another node begins it anew.
   */
  public record ReconciliationTask(
      @DefaultValue("true") boolean enabled,
      @Nullable String destination,
      @Nullable String consumer,
      @DefaultValue("false") boolean repair,
      @Nullable Duration window,
      @Nullable Duration delay,
      @Nullable Duration ageMax,
      @Nullable Duration lease) {}

  /**
   * Half messages: messages in two phases, for business data in another database. Immutable.
   *
   * @param enabled Whether there are half messages.
   * @param http The server that keeps them, over HTTP. By default they are kept in the database of
   *     the outbox.
   * @param grpc The server that keeps them, over gRPC. By default likewise.
   * @param dubbo The server that keeps them, over Dubbo. By default likewise.
   * @param check How producers are asked what became of them.
   * @param checkBackEndpoint Where this application itself is asked over HTTP.
   */
  public record Half(
      @DefaultValue("false") boolean enabled,
      @DefaultValue HalfHttp http,
      @DefaultValue HalfGrpc grpc,
      @DefaultValue HalfDubbo dubbo,
      @DefaultValue HalfCheck check,
      @DefaultValue CheckBackEndpoint checkBackEndpoint) {

    /** True if a server keeps the half messages, not the database of the outbox. */
    public boolean isOnServer() {
      return http.server() != null || grpc.server() != null || dubbo.server() != null;
    }
  }

  /**
   * Where this application itself is asked over HTTP what became of its half messages. Immutable.
   *
   * @param enabled Whether it answers at a path of its web server, with Spring MVC.
   * @param path The path, within the application.
   * @param address Full address at which it is asked, which goes with half messages that name none.
   *     By default none.
   * @param secrets Secrets; questions must be signed with one of them. By default none: one is
   *     needed, or unsigned.
   * @param unsigned Whether everybody who gets there is answered.
   */
  public record CheckBackEndpoint(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("/angarium/check-back") String path,
      @Nullable String address,
      @Nullable List<String> secrets,
      @DefaultValue("false") boolean unsigned) {

    /** Everything but the secrets. */
    @Override
    public String toString() {
      return "CheckBackEndpoint[path=" + path + ", address=" + address + "]";
    }
  }

  /**
   * The server that keeps half messages, over HTTP. Immutable.
   *
   * @param server Address of the server. By default half messages are kept in the database of the
   *     outbox.
   * @param apiKey What the server knows this application by. By default nothing.
   * @param timeout Longest time from the start of a request to the end of its answer.
   */
  public record HalfHttp(
      @Nullable String server, @Nullable String apiKey, @Nullable Duration timeout) {

    /** Everything but the API key. */
    @Override
    public String toString() {
      return "HalfHttp[server=" + server + "]";
    }
  }

  /**
   * The server that keeps half messages, over gRPC. Immutable.
   *
   * @param server Address of the server, 'grpcs://host:port', or 'grpc://host:port' without TLS. By
   *     default half messages are kept in the database of the outbox.
   * @param apiKey What the server knows this application by. By default nothing.
   * @param trustedCertificates File of PEM with the certificates that are trusted. By default those
   *     that the JVM trusts.
   * @param certificate File of PEM with the certificate of this application, for a server that
   *     wants one. By default none.
   * @param privateKey File of PEM with its key, in PKCS#8. By default none.
   * @param timeout Longest time for the answer to a request.
   */
  public record HalfGrpc(
      @Nullable String server,
      @Nullable String apiKey,
      @Nullable String trustedCertificates,
      @Nullable String certificate,
      @Nullable String privateKey,
      @Nullable Duration timeout) {

    /** Everything but the API key. */
    @Override
    public String toString() {
      return "HalfGrpc[server=" + server + "]";
    }

    /** Whether anything is given without a server. */
    public boolean isWithoutServer() {
      return server == null
          && !Stream.of(apiKey, trustedCertificates, certificate, privateKey, timeout)
              .allMatch(Objects::isNull);
    }
  }

  /**
   * The server that keeps half messages, over Dubbo. Immutable.
   *
   * @param server Address of the server, 'dubbo://host:port', or of a registry that knows it. By
   *     default half messages are kept in the database of the outbox.
   * @param apiKey What the server knows this application by. By default nothing.
   * @param application How registries and the server know this application.
   * @param timeout Longest time for the answer to a request.
   */
  public record HalfDubbo(
      @Nullable String server,
      @Nullable String apiKey,
      @Nullable String application,
      @Nullable Duration timeout) {

    /** Everything but the API key. */
    @Override
    public String toString() {
      return "HalfDubbo[server=" + server + "]";
    }

    /** Whether anything is given without a server. */
    public boolean isWithoutServer() {
      return server == null && !Stream.of(apiKey, application, timeout).allMatch(Objects::isNull);
    }
  }

  /**
   * How producers are asked what became of half messages, and what this application answers.
   * Immutable.
   *
   * @param enabled Whether this process asks, for half messages in the database of the outbox.
   * @param allowedHosts Hosts of producers that may be asked over HTTP, 'host' or 'host:port'. By
   *     default none.
   * @param allowedHostsOf Likewise for some businesses only, by their ids, in which an asterisk
   *     stands for any characters. By default none.
   * @param markers Business ids whose check-backs this application answers from the markers of its
   *     local transactions. By default none.
   * @param first How long after it was prepared a half message is asked for.
   * @param minPause How long until it is asked for again.
   * @param maxPause How far that pause grows while nobody can say what became of it.
   * @param unreachableMaxPause How far that pause grows while its producer cannot be asked.
   * @param unknownMax How often nobody can say what became of it before a person must decide.
   * @param alertAfter For how long a producer may be unreachable before that is told.
   * @param questions How many questions one producer is asked at a time.
   * @param timeout How long a producer may take for an answer.
   * @param secrets Secrets that questions over HTTP are signed with, by business id. By default
   *     they are not signed.
   * @param authorizations Header 'authorization' of questions over HTTP, by the host they go to. By
   *     default they have none.
   */
  public record HalfCheck(
      @DefaultValue("true") boolean enabled,
      @DefaultValue List<String> allowedHosts,
      @DefaultValue Map<String, List<String>> allowedHostsOf,
      @DefaultValue List<String> markers,
      @Nullable Duration first,
      @Nullable Duration minPause,
      @Nullable Duration maxPause,
      @Nullable Duration unreachableMaxPause,
      @Nullable Integer unknownMax,
      @Nullable Duration alertAfter,
      @Nullable Integer questions,
      @Nullable Duration timeout,
      @DefaultValue Map<String, List<String>> secrets,
      @DefaultValue Map<String, String> authorizations) {

    /** Only what is not secret. */
    @Override
    public String toString() {
      return "HalfCheck[enabled=%s, allowedHosts=%s, allowedHostsOf=%s]"
          .formatted(enabled, allowedHosts, allowedHostsOf);
    }

    /** Whether a producer is to be asked over HTTP. */
    public boolean hasHosts() {
      return !(allowedHosts.isEmpty() && allowedHostsOf.isEmpty());
    }
  }

  /**
   * Which messages must be confirmed by their consumers, and how that is told. Immutable.
   *
   * @param destinations Destinations whose messages must be confirmed; an asterisk at the end
   *     stands for all that begin so. By default none.
   * @param timeout How long after it was sent an unconfirmed message is sent again.
   * @param sends How often a message is sent before it becomes a dead letter.
   * @param receiptsFrom Where the receipts for the messages of this application come from, for
   *     example 'kafka:orders.receipts'. By default this application calls 'ReceiptIntake' itself.
   * @param receiptsGroup Group of consumers that reads the receipts, of this application alone. By
   *     default 'spring.application.name' and '-angarium-receipts'; 'angarium-receipts' without it.
   * @param receiptsEndpoint Where receipts come over HTTP.
   * @param reportTo Where this application, as a consumer with an inbox, sends its receipts, for
   *     example 'kafka:orders.receipts'. By default it sends none.
   */
  public record Confirmation(
      @DefaultValue List<String> destinations,
      @Nullable Duration timeout,
      @Nullable Integer sends,
      @Nullable String receiptsFrom,
      @Nullable String receiptsGroup,
      @DefaultValue ReceiptsEndpoint receiptsEndpoint,
      @Nullable String reportTo) {

    /** True if this process notes what must be confirmed, or takes receipts. */
    public boolean isOn() {
      return !destinations.isEmpty() || receiptsFrom != null || receiptsEndpoint.enabled();
    }
  }

  /**
   * Where this application is told over HTTP which messages were processed. Immutable.
   *
   * @param enabled Whether it takes receipts at a path of its web server, with Spring MVC.
   * @param path The path, within the application.
   * @param secrets Secrets; receipts must be signed with one of them. By default none: one is
   *     needed, or unsigned.
   * @param unsigned Whether everybody who gets there is believed.
   */
  public record ReceiptsEndpoint(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("/angarium/receipts") String path,
      @Nullable List<String> secrets,
      @DefaultValue("false") boolean unsigned) {

    /** Everything but the secrets. */
    @Override
    public String toString() {
      return "ReceiptsEndpoint[enabled=" + enabled + ", path=" + path + "]";
    }
  }

  /**
   * How much the handlers of this application may take. Immutable.
   *
   * @param enabled Whether messages are given to handlers, if there are any.
   * @param threads Messages that one handler processes at a time.
   * @param timeout How long a handler may take for a message.
   */
  public record Handler(
      @DefaultValue("true") boolean enabled,
      @Nullable Integer threads,
      @Nullable Duration timeout) {}

  /**
   * How consumers process each message once. Immutable.
   *
   * @param enabled Whether there is an inbox.
   * @param schema Database schema (on MySQL and MariaDB: the database) of its tables. By default
   *     the connection's own.
   * @param tables What the names of its tables begin with.
   * @param schemaMode What is done about its tables at the start: check them, create what is
   *     missing, or nothing.
   * @param retention How long a processed message is remembered at least.
   * @param replayWindow The oldest message that can still be delivered again; shorter than the
   *     retention.
   * @param whenBusy What happens while another delivery of the same message is being processed:
   *     wait for its end, or tell the caller.
   * @param waitMax The longest wait for another delivery.
   * @param rotation Whether this process forgets what is older. One of those that use the database
   *     must.
   * @param acceptedTriggers Names of row triggers on PostgreSQL that run before a row of its tables
   *     is inserted, changed or deleted and never swallow it. By default none.
   * @param redis The inbox on Redis, for consumers without a database.
   */
  public record Inbox(
      @DefaultValue("false") boolean enabled,
      @Nullable String schema,
      @Nullable String tables,
      @Nullable SchemaMode schemaMode,
      @Nullable Duration retention,
      @Nullable Duration replayWindow,
      @Nullable WhenBusy whenBusy,
      @Nullable Duration waitMax,
      @DefaultValue("true") boolean rotation,
      @DefaultValue List<String> acceptedTriggers,
      @DefaultValue Redis redis) {}

  /**
   * The inbox on Redis, for consumers without a database. Immutable.
   *
   * @param enabled Whether there is an inbox on Redis.
   * @param uri Address of Redis, 'redis://user:password@host:port/database', 'rediss:' with TLS, or
   *     'redis-sentinel:'. By default that of connection details, else of spring.data.redis.
   * @param prefix What every key begins with.
   * @param lease How long a message stays claimed by a consumer that has died.
   * @param renewMax How long the lease of work that goes on is renewed.
   * @param retention How long a processed message is remembered.
   * @param replayWindow The oldest message that can still be delivered again; shorter than the
   *     retention.
   * @param whenBusy What happens while another delivery of the same message is being processed:
   *     wait for its end, or tell the caller.
   * @param waitMax The longest wait for another delivery.
   * @param commandTimeout How long Redis may take for an answer.
   */
  public record Redis(
      @DefaultValue("false") boolean enabled,
      @Nullable String uri,
      @Nullable String prefix,
      @Nullable Duration lease,
      @Nullable Duration renewMax,
      @Nullable Duration retention,
      @Nullable Duration replayWindow,
      @Nullable WhenBusy whenBusy,
      @Nullable Duration waitMax,
      @Nullable Duration commandTimeout) {

    /** Only what is not secret: an address may hold a password. */
    @Override
    public String toString() {
      return "Redis[enabled=" + enabled + ", prefix=" + prefix + "]";
    }
  }

  /**
   * The largest message taken in. Immutable.
   *
   * @param payload Largest payload.
   * @param key Longest key in UTF-8.
   * @param headers Largest sum of header names and values in UTF-8.
   */
  public record Limits(
      @Nullable DataSize payload, @Nullable DataSize key, @Nullable DataSize headers) {}

  /**
   * How messages are spread over partitions. Immutable.
   *
   * @param keyed Number of partitions for messages with a key. Fixed for the life of a database.
   * @param keyless Number of partitions for messages without a key. Fixed for the life of a
   *     database.
   */
  public record Partitions(@Nullable Integer keyed, @Nullable Integer keyless) {}

  /**
   * How the outbox uses its database. Immutable.
   *
   * @param schema Database schema (on MySQL and MariaDB: the database) of the tables. By default
   *     the connection's own.
   * @param tables What the table names begin with.
   * @param schemaMode What is done about the tables at the start: check them, create what is
   *     missing, or nothing.
   * @param history Whether sent messages are kept in a table of their own.
   * @param statementTimeout How long a statement of the relay may take before its connection is
   *     given up.
   * @param settleLag On databases without readable snapshots: how long a sequence number may take
   *     from being handed out to being written.
   * @param relayDataSource Name of the DataSource bean that the relay, half messages and retention
   *     take their connections from. By default that of the outbox.
   * @param acceptedServer A server that only speaks the protocol of MySQL or PostgreSQL, or has
   *     several writers, and is used all the same, though nothing was proved there. By default
   *     none.
   * @param acceptedTriggers Names of row triggers on PostgreSQL that run before a row is inserted,
   *     changed or deleted and never swallow it. By default none.
   */
  public record Jdbc(
      @Nullable String schema,
      @Nullable String tables,
      @Nullable SchemaMode schemaMode,
      @Nullable Boolean history,
      @Nullable Duration statementTimeout,
      @Nullable Duration settleLag,
      @Nullable String relayDataSource,
      @Nullable OtherServer acceptedServer,
      @DefaultValue List<String> acceptedTriggers) {}

  /**
   * How messages get from the database to the brokers. Immutable.
   *
   * @param enabled Whether this process relays messages. Without it they wait for a relay
   *     elsewhere.
   * @param node Name of this node, unique among the live nodes of a database. By default the host
   *     name with a random ending.
   * @param defaultTransport Transport of destinations that name none. Needed only with several
   *     transports.
   * @param closeTimeout Longest time a stop takes to send what is committed and to wait for
   *     results.
   * @param lease How ownership of partitions is kept.
   * @param poll When the database is asked.
   * @param grace Age from which a keyless message that its own node should have sent is sent by the
   *     owner of its partition.
   * @param window How much is in flight at most.
   */
  public record Relay(
      @DefaultValue("true") boolean enabled,
      @Nullable String node,
      @Nullable String defaultTransport,
      @Nullable Duration closeTimeout,
      @DefaultValue Lease lease,
      @DefaultValue Poll poll,
      @Nullable Duration grace,
      @DefaultValue Window window) {}

  /**
   * How ownership of partitions is kept. Immutable.
   *
   * @param ttl How long a node counts as alive after a heartbeat.
   */
  public record Lease(@Nullable Duration ttl) {}

  /**
   * When the database is asked. Immutable.
   *
   * @param busy Pause after a poll that found something.
   * @param idle Longest pause when nothing is found.
   */
  public record Poll(@Nullable Duration busy, @Nullable Duration idle) {}

  /**
   * How much is in flight at most. Immutable.
   *
   * @param records Messages from their read to their delete; also the most duplicates a crash can
   *     cause.
   * @param bytes Their payloads together.
   */
  public record Window(@Nullable Integer records, @Nullable DataSize bytes) {}

  /**
   * When a failed message is tried again. Immutable.
   *
   * @param firstPause Pause after the first failure.
   * @param maxPause Longest pause.
   * @param maxAttempts Attempts before a message is a dead letter.
   */
  public record Retry(
      @Nullable Duration firstPause, @Nullable Duration maxPause, @Nullable Integer maxAttempts) {}

  /**
   * How an unavailable destination is probed. Immutable.
   *
   * @param maxPause Longest pause between probes.
   */
  public record Circuit(@Nullable Duration maxPause) {}

  /**
   * The Kafka cluster to send to. Immutable.
   *
   * @param enabled Whether messages are sent to Kafka.
   * @param bootstrapServers Brokers to begin with, as 'host:port', several separated by commas. By
   *     default the brokers of connection details, else of 'spring.kafka.bootstrap-servers'.
   * @param clientId Name of this client in the broker's logs and quotas.
   * @param linger How long a batch waits for more records before it is sent. With 0 few messages
   *     are sent at once, and messages of a backlog wait up to 5 ms.
   * @param deliveryTimeout How long the broker is tried before its topic counts as unavailable.
   * @param missingAfter For how long a topic that it has sent to must be missing before its
   *     messages are refused.
   * @param batch Largest batch of one Kafka partition before compression.
   * @param compression How batches are compressed.
   * @param properties Further properties of the Kafka producer in Kafka's own spelling.
   */
  public record Kafka(
      @DefaultValue("true") boolean enabled,
      @Nullable String bootstrapServers,
      @Nullable String clientId,
      @Nullable Duration linger,
      @Nullable Duration deliveryTimeout,
      @Nullable Duration missingAfter,
      @Nullable DataSize batch,
      @Nullable Compression compression,
      @DefaultValue Map<String, String> properties) {}

  /**
   * The RabbitMQ to send to. Immutable.
   *
   * @param enabled Whether messages are sent to RabbitMQ.
   * @param addresses Addresses to start from, 'host:port' or
   *     'amqp://user:password@host:port/virtual-host', several hosts separated by commas. By
   *     default the addresses of connection details, else of spring.rabbitmq.
   * @param username Name of the account. By default that of the address, else that of
   *     spring.rabbitmq, else guest.
   * @param password Password of the account. By default that of the address, else that of
   *     spring.rabbitmq, else guest.
   * @param virtualHost Virtual host. By default that of the address, else that of spring.rabbitmq,
   *     else '/'.
   * @param tls Whether the connection is encrypted. By default as the address says by amqp or
   *     amqps, else as spring.rabbitmq does.
   * @param trustedCertificates File of PEM with the certificates that are trusted. By default those
   *     that the JVM trusts.
   * @param clientName Name of the connection in the broker's lists.
   * @param channels Channels that share the work.
   * @param confirmTimeout Longest time for a confirm.
   * @param connectTimeout Longest time to connect to one address.
   */
  public record Rabbitmq(
      @DefaultValue("true") boolean enabled,
      @Nullable String addresses,
      @Nullable String username,
      @Nullable String password,
      @Nullable String virtualHost,
      @Nullable Boolean tls,
      @Nullable String trustedCertificates,
      @Nullable String clientName,
      @Nullable Integer channels,
      @Nullable Duration confirmTimeout,
      @Nullable Duration connectTimeout) {

    /** Only what is not secret: an address may hold a password. */
    @Override
    public String toString() {
      return "Rabbitmq[enabled=" + enabled + "]";
    }
  }

  /**
   * The RocketMQ cluster to send to. Immutable.
   *
   * @param enabled Whether messages are sent to RocketMQ.
   * @param nameServers Name servers, 'host:port', several separated by semicolons. By default
   *     rocketmq.name-server.
   * @param producerGroup Name of the group of producers.
   * @param accessKey Name of the account. Needed only where the cluster asks for one.
   * @param secretKey Secret of the account. Needed only where the cluster asks for one.
   * @param tls Whether connections are encrypted. By default not.
   * @param sendTimeout Longest time for an answer of a broker.
   * @param missingAfter How long a topic must be missing before its messages are dead letters.
   * @param fewerQueuesAfter How long a queue must be missing before its keys go to others. Zero for
   *     never.
   * @param acknowledge When a message counts as sent.
   * @param messageMax Largest payload that the brokers take.
   * @param transactions RocketMQ's transactional messages.
   */
  public record Rocketmq(
      @DefaultValue("true") boolean enabled,
      @Nullable String nameServers,
      @Nullable String producerGroup,
      @Nullable String accessKey,
      @Nullable String secretKey,
      @Nullable Boolean tls,
      @Nullable Duration sendTimeout,
      @Nullable Duration missingAfter,
      @Nullable Duration fewerQueuesAfter,
      @Nullable Acknowledge acknowledge,
      @Nullable DataSize messageMax,
      @DefaultValue Transactions transactions) {

    /** Everything but the secret. */
    @Override
    public String toString() {
      return "Rocketmq[enabled=%s, nameServers=%s]".formatted(enabled, nameServers);
    }

    /**
     * RocketMQ's transactional messages. Immutable.
     *
     * @param enabled Whether there is a bean that sends transactional messages.
     * @param producerGroup Name of the group of producers that brokers ask for transactions.
     */
    public record Transactions(
        @DefaultValue("false") boolean enabled, @Nullable String producerGroup) {}
  }

  /**
   * Which messages for Kafka and RabbitMQ are events of CloudEvents besides. Immutable.
   *
   * @param destinations Destinations whose messages are events, e.g. 'kafka:orders'; '*' stands for
   *     any characters. By default none.
   * @param source Attribute 'source' of each event, a URI or a part of one.
   * @param type Attribute 'type' of messages without a type.
   */
  public record CloudEvents(
      @DefaultValue List<String> destinations, @Nullable String source, @Nullable String type) {}

  /**
   * The web hooks to post to. Immutable.
   *
   * @param enabled Whether messages are posted to the hooks and hosts below, if there are any.
   * @param source Attribute 'source' of each event, a URI or a part of one.
   * @param type Attribute 'type' of messages without a type.
   * @param contentType Content type of messages that have no header 'content-type'.
   * @param hooks Web hooks by the names that destinations use. By default none.
   * @param allowedHosts Hosts to which destinations with a whole address may go, as 'host' or
   *     'host:port', several separated by commas. By default only the hosts of the hooks.
   * @param connectTimeout Longest time to connect.
   * @param timeout Longest time from the start of a request to the end of its answer.
   * @param retryAfterMax Longest pause that a receiver can ask for by 'Retry-After'.
   * @param inFlightPerHook Requests at a time to one hook or host.
   * @param inFlight Requests at a time in all.
   */
  public record Http(
      @DefaultValue("true") boolean enabled,
      @Nullable String source,
      @Nullable String type,
      @Nullable String contentType,
      @DefaultValue Map<String, Hook> hooks,
      @DefaultValue List<String> allowedHosts,
      @Nullable Duration connectTimeout,
      @Nullable Duration timeout,
      @Nullable Duration retryAfterMax,
      @Nullable Integer inFlightPerHook,
      @Nullable Integer inFlight) {}

  /**
   * A web hook. Immutable.
   *
   * @param url Where to post.
   * @param secrets Secrets to sign with, the newest first. By default requests are not signed.
   * @param headers Fixed headers of each request. By default none.
   * @param timeout Longest time of a request. By default that of all hooks.
   * @param retryRefused Whether messages that the receiver refuses by 4xx are tried again until
   *     their attempts are used up. By default they are dead letters at once.
   */
  public record Hook(
      @Nullable String url,
      @DefaultValue List<String> secrets,
      @DefaultValue Map<String, String> headers,
      @Nullable Duration timeout,
      @DefaultValue("false") boolean retryRefused) {

    /** Everything but what may be secret. */
    @Override
    public String toString() {
      return "Hook[secrets=" + secrets.size() + ", headers=" + headers.keySet() + "]";
    }
  }

  /**
   * What is measured, where Micrometer is present. Immutable.
   *
   * @param enabled Whether the relay, half messages and their backlogs are measured.
   * @param maxDestinations Destinations that get a tag value of their own, likewise businesses;
   *     further ones share one.
   * @param histogram Whether buckets of the delivery time are published.
   */
  public record Metrics(
      @DefaultValue("true") boolean enabled,
      @Nullable Integer maxDestinations,
      @Nullable Boolean histogram) {}

  /** When RocketMQ has a message; a copy of the RocketMQ module's, which may be absent. */
  public enum Acknowledge {
    /** Stored as safely as the broker is set up to: on its disk, at its replicas. */
    WHEN_SAFE,
    /** Stored at all, perhaps in memory only or without replicas. */
    WHEN_STORED
  }

  /** How batches of Kafka are compressed; a copy of the Kafka module's, which may be absent. */
  public enum Compression {
    /** Not at all. */
    NONE,
    /** LZ4: cheap, about half the size for text. */
    LZ4,
    /** Zstandard: smaller than LZ4 at some more CPU. */
    ZSTD,
    /** Snappy: much like LZ4. */
    SNAPPY,
    /** Gzip: for consumers that know nothing else. */
    GZIP
  }
}
