import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  app.useGlobalPipes(new ValidationPipe());
  await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
  console.log(`Listening on ${await app.getUrl()}`);
  // The smoke test ends the input; from then on the process must end by itself.
  process.stdin.once('end', () => void app.close()).resume();
}
void bootstrap();
