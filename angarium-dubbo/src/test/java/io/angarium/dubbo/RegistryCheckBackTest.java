package io.angarium.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.trustmessage.middlewareapi.common.MessageResponse;
import com.example.trustmessage.middlewareapi.service.MessageService;
import io.angarium.TimeSource;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.testservers.ZooKeeper;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Producers and centres that find each other through a real ZooKeeper. */
class RegistryCheckBackTest {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Loopback loopback = new Loopback();
  private ZooKeeper registry;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    registry = ZooKeeper.start(folder);
  }

  @AfterEach
  void stop() {
    registry.close();
  }

  private List<RegistryConfig> registries() {
    return List.of(new RegistryConfig(registry.address()));
  }

  private static CheckAnswer ask(DubboCheckBackTransport transport, String address)
      throws Exception {
    return transport
        .ask(URI.create(address), List.of(new HalfKey("7", "1")))
        .toCompletableFuture()
        .get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .get(0);
  }

  @Test
  void producerIsFoundInTheRegistry() throws Exception {
    CheckBackService answers = new CheckBackService(Map.of("7", key -> Verdict.COMMITTED));
    DubboCheckBackConfig config =
        DubboCheckBackConfig.allowing(registry.address()).answer(PATIENCE);
    try (DubboServer producer = loopback.open(registries()).offer(answers, "1.0.0");
        DubboCheckBackTransport transport = DubboCheckBackTransport.open("centre", config)) {
      CheckAnswer found = ask(transport, registry.address() + "?version=1.0.0");
      CheckAnswer otherVersion = ask(transport, registry.address() + "?version=2.0.0");

      assertThat(found.verdict()).as(found.toString()).isEqualTo(Verdict.COMMITTED);
      assertThat(otherVersion.verdict()).isEqualTo(Verdict.UNREACHABLE);
      assertThat(producer).isNotNull();
    }
  }

  @Test
  void registryThatIsAwayIsUnreachableInTime() throws Exception {
    DubboCheckBackConfig config =
        DubboCheckBackConfig.allowing(registry.address()).answer(Duration.ofSeconds(1));
    registry.close();
    try (DubboCheckBackTransport transport = DubboCheckBackTransport.open("centre", config)) {
      CheckAnswer answer = ask(transport, registry.address() + "?version=1.0.0");

      assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
    }
  }

  @Test
  void clientFindsTheCallsInTheRegistry() {
    InMemoryHalfMessages half = new InMemoryHalfMessages(TimeSource.SYSTEM);
    try (DubboServer server =
            loopback.open(registries()).offer(new TrustMessageService(half, "kafka"));
        DubboApplication client = DubboApplication.open("shop")) {
      ReferenceConfig<MessageService> reference = new ReferenceConfig<>(client.module());
      reference.setInterface(MessageService.class);
      reference.setVersion(TrustMessageService.VERSION);
      reference.setRegistry(new RegistryConfig(registry.address()));
      reference.setTimeout(TIMEOUT_MILLIS);

      MessageResponse response = reference.get().prepareMessage(TrustMessages.whole("1"));

      assertThat(response.getCode()).isEqualTo(200);
      assertThat(server).isNotNull();
    }
  }
}
