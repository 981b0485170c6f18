package io.angarium.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GatheringSocketTest {
  private static final int MORE_THAN_IS_HELD = 100_000;

  private final GatheringSocket socket = (GatheringSocket) new GatheringSockets().createSocket();
  private Socket peer;
  private OutputStream out;
  private InputStream in;

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      socket.connect(server.getLocalSocketAddress(), 10_000);
      peer = server.accept();
    }
    peer.setSoTimeout(10_000);
    out = socket.getOutputStream();
    in = peer.getInputStream();
  }

  @AfterEach
  void close() throws IOException {
    socket.close();
    peer.close();
  }

  @Test
  void writesAtOnceWhatItIsNotToHold() throws IOException {
    out.write(new byte[] {1, 2, 3}, 1, 2);

    assertThat(in.readNBytes(2)).containsExactly(2, 3);
  }

  @Test
  void holdsBackUntilItIsReleased() throws IOException {
    socket.gather();
    out.write(1);
    out.write(new byte[] {2, 3});
    out.flush();
    assertThat(in.available()).isZero();

    socket.release();

    assertThat(in.readNBytes(3)).containsExactly(1, 2, 3);
    out.write(4);
    assertThat(in.readNBytes(1)).containsExactly(4);
  }

  @Test
  void keepsTheOrderOfWhatIsLargerThanItHolds() throws IOException {
    byte[] large = new byte[MORE_THAN_IS_HELD];
    large[0] = 2;
    large[MORE_THAN_IS_HELD - 1] = 3;
    socket.gather();
    out.write(1);
    out.write(large);
    out.write(4);
    socket.release();

    byte[] read = in.readNBytes(MORE_THAN_IS_HELD + 2);

    assertThat(read[0]).isEqualTo((byte) 1);
    assertThat(read[1]).isEqualTo((byte) 2);
    assertThat(read[MORE_THAN_IS_HELD]).isEqualTo((byte) 3);
    assertThat(read[MORE_THAN_IS_HELD + 1]).isEqualTo((byte) 4);
  }

  @Test
  void writesWhatItHeldBeforeWhatHasNoRoom() throws IOException {
    byte[] half = new byte[40_000];
    half[0] = 1;
    socket.gather();
    out.write(half);
    half[0] = 2;
    out.write(half); // no room beside the first

    assertThat(in.readNBytes(40_000)[0]).isEqualTo((byte) 1);
    socket.release();
    assertThat(in.readNBytes(40_000)[0]).isEqualTo((byte) 2);
  }
}
